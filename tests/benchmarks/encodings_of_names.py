"""Names in the usual encodings of their languages: how many match files are read rightly.

Run `python -m tests.benchmarks.encodings_of_names [--files N]`. Each file is a match of two players
whose names are drawn from the list of a language; half of the files also have an event. A file is
right if the text that was read is the text that was encoded.
"""

from __future__ import annotations

import argparse
import random
import unicodedata
from collections import Counter
from typing import NamedTuple

from bganalyze.record.decoding import decode
from bganalyze.record.reader import read_bytes

LEAST_LETTERS = 20
"""Non-ASCII letters of a file, repetitions included, from which it counts for the share."""


class Sample(NamedTuple):
    """Names and events of one language, and the encodings its users write them in."""

    language: str
    encodings: tuple[str, ...]
    names: tuple[str, ...]
    events: tuple[str, ...]


def _sample(language: str, encodings: str, names: str, events: str) -> Sample:
    return Sample(
        language,
        tuple(encodings.split()),
        tuple(name.strip() for name in names.split(",")),
        tuple(event.strip() for event in events.split(",")),
    )


SAMPLES = (
    _sample(
        "Russian",
        "cp1251 koi8-r cp866 iso8859-5 mac-cyrillic",
        "Иван Петров, Ольга Смирнова, Сергей Кузнецов, Дмитрий Щербаков, Анна Фёдорова,"
        "Юрий Жуков, Екатерина Цветкова, Михаил Эйдельман, Пётр Хохлов, Наталья Ёлкина,"
        "Александр Чернышёв, Светлана Яковлева, Никита Лебедев, Вячеслав Гусев, Полина Шишкина,"
        "Григорий Объедков",
        "Кубок Москвы, Чемпионат России, Открытый турнир",
    ),
    _sample(
        "Ukrainian",
        "cp1251 koi8-u",
        "Олексій Шевченко, Ірина Їжак, Тарас Ґудзь, Юлія Ковальчук, Богдан Мельник,"
        "Оксана Гриценко, Сергій Бондаренко, Наталія Кравець, Євген Лисенко, Андрій Савчук,"
        "Дмитро Ткаченко, Людмила Приходько, Володимир Поліщук, Катерина Зінченко, Микола Дячук,"
        "Галина Щербина",
        "Кубок Києва, Чемпіонат України, Відкритий турнір",
    ),
    _sample(
        "Bulgarian",
        "cp1251",
        "Георги Димитров, Мария Иванова, Стоян Желев, Петър Стоянов, Десислава Колева,"
        "Николай Христов, Цветан Върбанов, Йордан Ангелов, Радостина Пеева, Красимир Тодоров,"
        "Елена Михайлова, Пламен Щерев, Живко Гочев, Юлиян Бъчваров, Атанас Църов, Ваня Ганчева",
        "Купа София, Открито първенство, Държавен шампионат",
    ),
    _sample(
        "Serbian",
        "cp1251",
        "Никола Петровић, Јелена Јовановић, Марко Ђорђевић, Душан Љубичић, Милица Николић,"
        "Стефан Њежић, Ана Џепина, Ненад Живковић, Вук Ђукић, Љиљана Савић, Горан Шћекић,"
        "Весна Чолић, Младен Цвијић, Жарко Мијатовић, Тијана Ристић",
        "Куп Београда, Првенство Србије, Отворени турнир",
    ),
    _sample(
        "Greek",
        "cp1253 iso8859-7 cp737",
        "Γιώργος Παπαδόπουλος, Ελένη Νικολάου, Δημήτρης Οικονόμου, Μαρία Γεωργίου,"
        "Νίκος Αγγελόπουλος, Κατερίνα Δημητρίου, Σπύρος Χατζής, Αθανάσιος Ψαρράς, Ζωή Ξενάκη,"
        "Βασίλης Θεοδωρίδης, Φωτεινή Λάμπρου, Ιωάννης Καραγιάννης, Όλγα Ρήγα, Άρης Μπέλλος,"
        "Έφη Τσούκα, Ηλίας Κωνσταντίνου",
        "Κύπελλο Αθηνών, Πανελλήνιο Πρωτάθλημα, Τουρνουά Θεσσαλονίκης",
    ),
    _sample(
        "Turkish",
        "cp1254 iso8859-9",
        "Şükrü Işık, Gülşen Öztürk, İbrahim Çağlar, Yiğit Ağaoğlu, Özgür Şahin, Çiğdem Yıldız,"
        "Oğuz Kılıç, Barış Gündoğdu, Tuğba Aydın, Ümit Çelik, İsmail Doğan, Ayşe Karadağ,"
        "Hüseyin Koç, Serdar Güneş, Fatoş Bağcı, Mustafa Yılmaz, Uğur Şen",
        "İstanbul Açık Şampiyonası, Türkiye Kupası, Boğaziçi Turnuvası",
    ),
    _sample(
        "Czech",
        "cp1250 iso8859-2 cp852",
        "Jiří Dvořák, Věra Šťastná, Tomáš Říha, Ondřej Žižka, Zdeněk Černý, Kateřina Nováková,"
        "Luděk Růžička, Přemysl Kořínek, Božena Němcová, Vojtěch Kučera, Jaroslav Procházka,"
        "Alžběta Svobodová, Radek Ďuriš, Květa Fialová, Lukáš Beneš, Šárka Hájková",
        "Pražský pohár, Mistrovství České republiky, Přebor Brna",
    ),
    _sample(
        "Slovak",
        "cp1250",
        "Ľubomír Kováč, Zuzana Hríbová, Ján Ďurica, Mária Šimková, Peter Horváth, Ľudmila Tóthová,"
        "Štefan Baláž, Jozef Vajčiak, Katarína Ťažká, Miloš Kŕč, Božena Slančíková, Matúš Čech,"
        "Žofia Múčková, Ondrej Stĺpik, Ivan Kôň",
        "Bratislavský pohár, Majstrovstvá Slovenska, Košický turnaj",
    ),
    _sample(
        "Polish",
        "cp1250 iso8859-2 cp852",
        "Łukasz Wiśniewski, Małgorzata Żółtowska, Józef Świątek, Michał Dąbrowski, Agnieszka Wójcik,"
        "Paweł Kamiński, Elżbieta Zielińska, Stanisław Woźniak, Zbigniew Kozłowski, Grażyna Łęcka,"
        "Sławomir Pająk, Bożena Źrebiec, Krzysztof Gąsior, Wacław Ćwik, Bartłomiej Śliwa,"
        "Danuta Jabłońska",
        "Puchar Łodzi, Mistrzostwa Śląska, Otwarte mistrzostwa Gdańska",
    ),
    _sample(
        "Hungarian",
        "cp1250 iso8859-2",
        "Gergő Szűcs, Ágnes Kővári, Ödön Tóth, Győző Erdős, Zoltán Kőszegi, Éva Fűzfa,"
        "Tünde Szőke, Ferenc Bölöni, Zsófia Győri, László Hegedűs, Ernő Csőke, Jenő Dezső,"
        "Örs Lőrincz, Balázs Csűrös, Béla Fehérvári, Katalin Szőllősi",
        "Győri Kupa, Magyar Bajnokság, Őszi verseny",
    ),
    _sample(
        "Romanian",
        "cp1250",
        "Ştefan Ţepeş, Ioana Brătianu, Mihăiţă Stănescu, Cătălin Mureşan, Ana Băsescu,"
        "Răzvan Drăgan, Mădălina Chiriţă, Sânziana Pârvu, Gheorghe Hâncu, Iniţa Boţan,"
        "Bogdan Câmpeanu, Andreea Ionaşcu, Călin Tărâţă, Lăcrămioara Niţă, Dănuţ Şerban",
        "Cupa Bucureşti, Campionatul naţional, Memorialul Brâncuşi",
    ),
    _sample(
        "Croatian",
        "cp1250 iso8859-2",
        "Željko Šarić, Đorđe Čović, Ivana Knežević, Mladen Perić, Krešimir Ćosić, Marko Kovačević,"
        "Anđela Grgić, Šime Vukšić, Tomislav Žuvić, Nikolina Đurđević, Ante Matić, Hrvoje Božić,"
        "Snježana Čučković, Petar Barišić, Luka Jurić",
        "Kup Šibenika, Prvenstvo Međimurja, Otvoreno županijsko natjecanje",
    ),
    _sample(
        "Slovenian",
        "cp1250",
        "Boštjan Žnidaršič, Matjaž Črnič, Andreja Kovač, Urška Košir, Miha Hočevar, Jože Pučnik,"
        "Alenka Šuštar, Aleš Žagar, Tadeja Črtomir, Primož Rožič, Maša Knafelč, Blaž Štrukelj,"
        "Nuša Erčulj, Žiga Prešeren, Luka Pogačar",
        "Pokal Maribor, Državno prvenstvo Škofja Loka, Žalec odprto",
    ),
    _sample(
        "Danish",
        "cp1252 cp850",
        "Søren Kjær, Åse Nørgård, Jørgen Østergaard, Bjørn Sørensen, Mette Møller, Asbjørn Bækgaard,"
        "Kåre Brændstrup, Karen Højgård, Jens Ærø, Niels Lærke, Øjvind Ågård, Birgit Nygård,"
        "Gråbæk Thomsen, Hanne Bødker, Kirsten Skov Rømer",
        "Københavns Open, Sjællandsmesterskabet, Ålborg Turnering",
    ),
    _sample(
        "Norwegian",
        "cp1252",
        "Håkon Bråthen, Åshild Grønn, Bjørn Håvard Lunde, Øystein Kjærstad, Tør Sæther,"
        "Gro Nygård, Pål Løvaas, Kåre Næss, Sølvi Ås, Ørjan Fossnæs, Gøril Bø, Håvard Ødegaard,"
        "Marit Bjørgen, Åge Hareide, Torbjørn Løkke",
        "Bodø Bymesterskap, NM i Tromsø, Ålesund åpne",
    ),
    _sample(
        "German",
        "cp1252 cp850 mac-roman",
        "Jürgen Groß, Käthe Müller, Björn Höfer, Jörg Weiß, Ümit Schäfer, Günther Köhler,"
        "Bärbel Häußler, Götz Krüger, Sören Bräuer, Änne Vögele, Öznur Fröhlich, Ute Strauß,"
        "Heinz Löwe, Rüdiger Süß, Klaus Jäger, Lüder Möbius",
        "Münchner Stadtmeisterschaft, Kölner Open, Österreichische Meisterschaft",
    ),
    _sample(
        "French",
        "cp1252 iso8859-15 mac-roman",
        "François Lefèvre, Hélène Bénoît, Jérôme Noël, Frédéric Château, Cécile Garçon,"
        "André Brûlé, Zoé Crêpeau, Gaël Forêt, Loïc Guérin, Aurélie Côté, Mégane Lemaître,"
        "Joël Besançon, Benoît Hébert, Élodie Évrard, Anaïs Désiré, René Mélès",
        "Coupe de Genève, Championnat d'Île de France, Tournoi d'été",
    ),
    _sample(
        "Spanish",
        "cp1252 cp850",
        "José Muñoz, Ángel Ibáñez, María Núñez, Sebastián Peña, Begoña Gutiérrez, Íñigo Zúñiga,"
        "Raúl Hernández, Óscar Martínez, Lucía Fernández, Tomás Ordóñez, Inés López,"
        "Álvaro Jiménez, Concepción Ávila, Andrés Iñárritu, Ramón Agüero, Sofía Güell",
        "Copa de España, Torneo de Málaga, Campeonato de Cádiz",
    ),
    _sample(
        "Portuguese",
        "cp1252",
        "João Gonçalves, Conceição Simões, Antônio Magalhães, Inês Araújo, Estêvão Guimarães,"
        "Sebastião Leitão, Luís Lourenço, Débora Brandão, Tomé Assunção, Lívia Falcão,"
        "José Camões, Patrícia Fragão, Cátia Gusmão, Nélson Galvão, Vânia Cabaço",
        "Taça de São Paulo, Campeonato de Évora, Torneio da Conceição",
    ),
    _sample(
        "Italian",
        "cp1252",
        "Niccolò Forlì, Mosè Cantù, Nicolò Dalfarò, Cosmè Scalà, Totò Barillà, Maria Cefalù,"
        "Giosuè Muccì, Salomè Cirò, Noè Marzà, Rosà Libertà, Josuè Patanè, Nardò Calabrò,"
        "Ciccì Laganà, Cettì Foà, Loredanà Cicalò",
        "Coppa Città di Forlì, Torneo di Cantù, Campionato della Libertà",
    ),
    _sample(
        "Icelandic",
        "cp1252",
        "Þórður Guðmundsson, Ýr Sæþórsdóttir, Ásdís Björk, Sigurður Ólafsson, Guðrún Þorsteinsdóttir,"
        "Björgvin Ægisson, Íris Hrönn Éinarsdóttir, Örn Ragnarsson, Úlfar Þráinsson,"
        "Jóhanna Sigurðardóttir, Ragnheiður Böðvarsdóttir, Davíð Stefánsson, Ævar Kjartansson,"
        "Hörður Magnússon, Þóra Bjarnadóttir",
        "Reykjavíkurmót, Íslandsmeistaramót, Bikarkeppni á Ísafirði",
    ),
    _sample(
        "Finnish",
        "cp1252 cp850",
        "Väinö Hämäläinen, Pekka Mäkelä, Jyrki Lähteenmäki, Päivi Järvinen, Mäntylä Sää,"
        "Äänekoski Ylönen, Seppo Räty, Törmä Höltta, Niilo Yläpää, Sirkka Jääskeläinen,"
        "Eeva Pöyhönen, Hannu Väyrynen, Terttu Kärkkäinen, Jarmo Sääksjärvi, Reijo Häkkinen",
        "Jyväskylän mestaruus, Pääsiäisturnaus, Hämeenlinnan avoin äänestys",
    ),
    _sample(
        "Swedish",
        "cp1252 mac-roman",
        "Åke Sjöström, Göran Nygård, Märta Öberg, Björn Söderlund, Håkan Lövgren, Örjan Åberg,"
        "Kjell Bäckström, Pär Ångström, Göte Mårtensson, Växjö Träff, Sören Lindén, Åsa Hägg,"
        "Lövet Ek, Märit Sjögren, Bengt Näslund",
        "Göteborg Open, Mästerskapet i Malmö, Svenska mästerskapet",
    ),
    _sample(
        "Estonian",
        "cp1257",
        "Jüri Põld, Tõnu Õunapuu, Kärt Mägi, Ülle Rõõm, Märt Kõiv, Õie Lõhmus, Lembit Käär,"
        "Jõgeva Söödor, Tiiu Šmidt, Ants Võsa, Peep Jõesaar, Külli Pärn, Väino Põder, Mõtus Öövel,"
        "Aarne Hütt",
        "Põlva karikas, Pärnu võistlus, Eesti meistrivõistlused õues",
    ),
    _sample(
        "Lithuanian",
        "cp1257 iso8859-13",
        "Žydrūnas Šarūnas, Ąžuolas Jonušas, Rūta Kazlauskaitė, Vytautas Čepaitis, Jūratė Šimkutė,"
        "Eglė Žukauskienė, Mindaugas Bagdonavičius, Gintarė Petraitytė, Kęstutis Brazauskas,"
        "Ričardas Grigonis, Ūla Stašytė, Saulė Ivaškevičiūtė, Dalė Žąsinė, Algirdas Lukošius,"
        "Gediminas Sabonį",
        "Vilniaus taurė, Lietuvos čempionatas, Šiaulių žiemos turnyras",
    ),
    _sample(
        "Latvian",
        "cp1257",
        "Jānis Bērziņš, Ģirts Kļaviņš, Līga Ozoliņa, Kārlis Liepiņš, Mārtiņš Kalniņš, Inga Āboliņa,"
        "Pēteris Krūmiņš, Dzintra Zariņa, Ēriks Šķēle, Ilze Vītola, Rūdolfs Žagars, Anrijs Ķēniņš,"
        "Viļa Lāce, Ņina Čakste, Raitis Siliņš",
        "Rīgas kauss, Latvijas čempionāts, Jūrmalas atklātais turnīrs",
    ),
    _sample(
        "Hebrew",
        "cp1255 iso8859-8",
        "יעקב כהן, שרה לוי, משה מזרחי, דוד פרידמן, רחל ביטון, אברהם אזולאי, חנה שפירא, יוסף גבאי,"
        "מרים דהן, עמוס עוז, נועה קירל, איתן ברק, תמר גולן, גדעון צור, אורית זיו, שלמה ארצי",
        "גביע תל אביב, אליפות ישראל, טורניר פתוח",
    ),
    _sample(
        "Arabic",
        "cp1256",
        "محمد علي, فاطمة حسن, أحمد عبد الله, خالد الشريف, مريم يوسف, عمر الخطيب, ليلى منصور,"
        "سعيد الحداد, نورة القاسم, حسين إبراهيم, سلمى زيدان, طارق الجبوري, هدى صالح, ياسر غانم,"
        "رانيا خوري",
        "كأس القاهرة, بطولة لبنان, الدورة المفتوحة",
    ),
    _sample(
        "Japanese",
        "cp932 euc-jp",
        "田中太郎, 望月正行, サトウ ケン, すずき あや, 高橋 健一, 伊藤 さくら, 渡辺 直樹, 山本 翔太,"
        "中村 美咲, 小林 大輔, 加藤 由美, 吉田 浩二, マツモト リョウ, 井上 恵子, 木村 拓也, 佐々木 優",
        "東京オープン, 日本選手権, 大阪リーグ",
    ),
    _sample(
        "Chinese",
        "gb18030",
        "王小明, 李娜, 张伟, 刘洋, 陈静, 杨帆, 赵丽颖, 黄晓明, 周杰, 吴敏, 徐志强, 孙海燕, 马云飞,"
        "朱德华, 胡建国, 郭美玲",
        "北京公开赛, 全国锦标赛, 上海杯",
    ),
    _sample(
        "Chinese (traditional)",
        "big5",
        "王小明, 李娜, 張偉, 劉洋, 陳靜宜, 楊雅婷, 趙子龍, 黃曉明, 周杰倫, 吳敏, 徐志強, 孫海燕,"
        "馬英九, 朱德華, 胡建國, 郭美玲",
        "台北公開賽, 全國錦標賽, 高雄盃",
    ),
    _sample(
        "Korean",
        "cp949",
        "김철수, 박영희, 이민호, 최지우, 정다은, 강호동, 조수미, 윤서연, 장동건, 임재범, 한가인,"
        "오지호, 서태지, 신민아, 권상우, 황정민",
        "서울 오픈, 한국 선수권, 부산 대회",
    ),
    _sample(
        "Thai",
        "cp874",
        "สมชาย ใจดี, วิไล ศรีสุข, ประเสริฐ ทองคำ, มาลี แสงจันทร์, สุรชัย พันธุ์ดี, นงลักษณ์ บุญมา,"
        "อนันต์ วงศ์ไทย, กมล เพชรรัตน์, ธีระ สายทอง, รัตนา แก้วมณี, ชัยวัฒน์ รุ่งเรือง, พิมพ์ใจ สุวรรณ,"
        "ณรงค์ ศักดิ์สิทธิ์, จิราพร โพธิ์ทอง, เกียรติ ยิ่งยง",
        "กรุงเทพโอเพ่น, แชมป์ประเทศไทย, ถ้วยเชียงใหม่",
    ),
    _sample(
        "Vietnamese",
        "cp1258",
        "Trần Văn Đức, Nguyễn Thị Hồng, Lê Quốc Việt, Phạm Minh Tuấn, Hoàng Thu Hà, Vũ Đình Trọng,"
        "Đặng Thùy Trâm, Bùi Xuân Phái, Đỗ Mỹ Linh, Ngô Bảo Châu, Dương Thị Liễu, Lý Thường Kiệt,"
        "Hồ Ngọc Hà, Phan Đăng Lưu, Trịnh Công Sơn",
        "Cúp Hà Nội, Giải vô địch quốc gia, Giải mở rộng Đà Nẵng",
    ),
)
"""Names as people of these languages have them, most with letters beyond ASCII."""


class File(NamedTuple):
    """A match file in an encoding."""

    text: str
    data: bytes

    @property
    def letters(self) -> int:
        """Letters beyond ASCII, repetitions included."""
        return sum(not character.isascii() and character.isalpha() for character in self.text)


def encode(text: str, encoding: str) -> bytes:
    """Encode a text; letters that the encoding lacks are written with combining accents."""
    pieces = []
    for character in text:
        try:
            pieces.append(character.encode(encoding))
        except UnicodeEncodeError:
            base, *marks = unicodedata.normalize("NFD", character)
            for tone in marks:  # The tone is a mark of its own; the other mark is of the letter.
                others = "".join(mark for mark in marks if mark != tone)
                letter = unicodedata.normalize("NFC", base + others)
                try:
                    pieces.append((letter + tone).encode(encoding))
                    break
                except UnicodeEncodeError:
                    continue
    return b"".join(pieces)


def make_file(sample: Sample, encoding: str, chance: random.Random, games: int = 6) -> File:
    """Make a match of two players of a language."""
    left, right = chance.sample(sample.names, 2)
    event = f'; [Event "{chance.choice(sample.events)}"]\n' if chance.random() < 0.5 else ""
    text = f"{event} 7 point match\n"
    for game in range(games):
        text += (
            f"\n Game {game + 1}\n {left} : {game // 2}".ljust(40)
            + f"{right} : {(game + 1) // 2}\n"
            + "  1) 31: 8/5 6/5                  52: 13/8 13/11\n"
        )
    data = encode(text, encoding)
    return File(data.decode(encoding), data)


def main() -> None:
    """Print a row for each language and encoding."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    total = Counter[str]()
    print(f"{'language':22}{'encoding':14}{'files':>6}{'right':>6}{'said':>6}  read as")
    for sample in SAMPLES:
        for encoding in sample.encodings:
            counts = Counter[str]()
            others = Counter[str]()
            for _ in range(options.files):
                file = make_file(sample, encoding, chance)
                read = decode(file.data)
                is_right = read.text == file.text
                counts["all"] += 1
                if file.letters >= LEAST_LETTERS:
                    counts["files"] += 1
                    counts["right"] += is_right
                if not is_right and file.letters >= LEAST_LETTERS:
                    notes = read_bytes(file.data, "a.mat")[0].oddities
                    counts["said"] += any(note.rule == "guessed-encoding" for note in notes)
                if not is_right:
                    others[read.encoding] += 1
                    if sum(others.values()) <= options.show:
                        print("   ", read.text.split("\n")[0], read.text.split("\n")[3])
            total.update(counts)
            named = " ".join(f"{name} {count}" for name, count in others.most_common())
            print(
                f"{sample.language:22}{encoding:14}{counts['files']:6}{counts['right']:6}{counts['said']:6}  {named}"
            )
    print(
        f"{'all':36}{total['files']:6}{total['right']:6}{total['said']:6} {total['right'] / total['files']:.2%}"
    )


if __name__ == "__main__":
    main()

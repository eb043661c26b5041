"""Alphabets of the languages that players' names are written in."""

from __future__ import annotations

from typing import NamedTuple


class Language(NamedTuple):
    """A language: its letters beyond ASCII and the encodings its users write them in."""

    code: str
    letters: str
    """Small letters beyond ASCII, after CLDR's exemplar characters."""
    encodings: tuple[str, ...]
    unlikely: str = ""
    """Regular expression of letters in places where the language's names hardly have them. It is
    searched for in lower case: German names do not begin with `ß`."""
    rarity: float = 0.0
    """Cost added to a language with few players, in the unit of the costs by which encodings are
    guessed."""


_WEST = ("cp1252", "iso8859-15", "cp850", "mac-roman")
_NORTH = ("cp1252", "iso8859-15", "cp850", "mac-roman", "cp1257")
_CENTRAL = ("cp1250", "iso8859-2", "cp852")
_BALTIC = ("cp1257", "iso8859-13")
_CYRILLIC = ("cp1251", "koi8-r", "cp866", "iso8859-5", "mac-cyrillic")

LANGUAGES = (
    Language("de", "äöüß", (*_WEST, *_CENTRAL, "cp1254", "cp1257"), "^ß"),
    Language("fr", "àâçèéêëîïôùûüœ", _WEST, "ï$|^[âèùûüçë]|[œù]$"),
    Language("es", "áéíñóúü", _WEST, "ñ$|^ü"),
    Language("pt", "àáâãçéêíóôõúü", _WEST, "õ(?!e)|ã(?!o|e|n|s?$)|ç$|^ç"),
    Language("it", "àèéìòù", _WEST, "[àèéìòù](?!$|')"),
    Language("ca", "àçèéíïòóúü", _WEST, "^ç|[àèòéóú]$"),
    Language("nl", "éëïöü", _WEST, "[ëïöü]$"),
    Language("sv", "åäöé", _NORTH),
    Language("da", "æøåéöü", _NORTH, "æ$|[æøå][æøå]"),
    Language("is", "áéíóúýðþæö", _WEST, "þ$|^ð|þ[^aeiouyáéíóúýæöjrvl]", 1.5),
    Language("fi", "äöå", _NORTH),
    Language("et", "äöüõšž", _BALTIC, "^[õ][^aeiouäöünlm]"),
    Language("ga", "áéíóú", _WEST),
    Language("cs", "áčďéěíňóřšťúůýž", _CENTRAL, "^[ůěýň]|[^aeiouáéíóúyýr]č$|ň$"),
    Language("sk", "áäčďéíĺľňóôŕšťúýž", _CENTRAL, "^[äôŕĺýň]|ŕ$|[^aeiouáéíóúyýr]č$|ň$"),
    Language("pl", "ąćęłńóśźż", _CENTRAL, "^[ąęń]|[ąę][aeiouyó]"),
    Language("hu", "áéíóöőúüű", _CENTRAL, "őő|^ő[^rsz]|ő[pmn]"),
    Language("ro", "ăâîşţșț", ("cp1250", "iso8859-2", "cp852"), "î[^n]"),
    Language("hr", "čćđšž", _CENTRAL, "[^aeioujrn]č$"),
    Language("tr", "çğıöşü\u0307", ("cp1254", "iso8859-9"), "[^aeıioöuü]ğ"),
    Language("lt", "ąčęėįšųūž", _BALTIC, "^[ęėį]"),
    Language("lv", "āčēģīķļņšūž", _BALTIC),
    Language(
        "vi",
        "àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
        ("cp1258",),
    ),
    Language("ru", "абвгдежзийклмнопрстуфхцчшщъыьэюяё", _CYRILLIC, "^[ъыь]|[аеиоуыэюя]ъ"),
    Language("uk", "абвгдежзийклмнопрстуфхцчшщьюяґєії", ("cp1251", "koi8-u"), "^ь"),
    Language("bg", "абвгдежзийклмнопрстуфхцчшщъьюя", ("cp1251",), "^ь"),
    Language("sr", "абвгдежзиклмнопрстуфхцчшђјљњћџ", ("cp1251", "iso8859-5")),
    Language("el", "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ", ("cp1253", "iso8859-7", "cp737")),
    Language("he", "אבגדהוזחטיךכלםמןנסעףפץצקרשת", ("cp1255", "iso8859-8")),
    Language("ar", "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي", ("cp1256",)),
    Language(
        "th",
        "กขคฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรฤลวศษสหฬอฮะาำเแโใไๆฯ",
        ("cp874",),
        "[เแโใไ](?![ก-ฮ])|^[ะาำๆ]|ๆ(?!$)|[่-๎][ัิ-ฺ็-๎]|[ะ-ฺ][ะ-ฺ]|[ฃฅฆฌฏฺ๎]|ฯ(?!$)|^[ก-ฮ]{4,}$",
    ),
)
"""Languages, the more usual ones of an encoding first."""

_JAPANESE = (
    "田中山本村木川小林佐藤高橋伊渡辺加吉斎清水池石井前岡後長谷近坂遠青福西三太松竹原野口島谷上下宮崎"
    "大久保内森安菊丸平和今河武杉桜千葉金新古東北南藤工関矢沢浜菅杉増荒細星酒望月永柴秋黒片馬飼市場岩堀服部"
    "々一二郎次介男夫雄樹也哉太郎子美恵香奈菜花里理沙織真由紀裕佑祐優健康賢剛勇翔拓誠正政昌隆孝浩宏博弘洋英秀"
    "明昭彰智知友直尚修治史志仁信進晋俊純順淳幸行義吉良亮涼遼陽葵結衣愛彩咲希望実未来春夏冬海空光輝晴翼蓮"
    "京都阪府県区戦杯選手権大会日本王座名人位第回決勝予準公式"
)
_SIMPLIFIED = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈"
    "姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
    "伟芳娜秀英敏静丽强磊军洋勇艳杰娟涛明超兰霞平刚桂文华建国红玉梅春海燕志小晓云飞德美玲颖珍莉雪琳宇浩然"
    "子轩涵怡欣佳俊鹏峰龙辉波斌宁鑫凯健洁婷雨晨阳天思梦嘉博家伦庆荣生东南西北中大新光永成"
    "京上海广州深圳开赛杯全锦标冠军公第届决市省"
)
_TRADITIONAL = (
    "陳林黃張李王吳劉蔡楊許鄭謝郭洪曾邱廖賴徐周葉蘇莊江呂何羅高蕭潘簡朱鍾彭游詹胡施沈余趙盧梁顏柯孫魏翁戴"
    "范宋方鄧杜侯曹薛馬丁董唐馮石姚姜溫康譚鄒田卓白涂古連傅歐葛尤韓歐陽"
    "志明家豪俊傑建宏文雄淑芬美玲雅婷怡君惠雯佩珊欣怡宗翰承恩冠宇偉國華強龍倫敏英德海燕麗娟秀珍玉蘭小曉雲飛"
    "靜宜娜子軒涵佳穎雪慧馨庭安瑋哲信義仁忠孝和平中正"
    "台北灣高雄港香公開賽盃杯全國錦標第屆冠軍決市縣"
)
_KOREAN = (
    "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지엄채원천방공현함변염여추"
    "철수영희호지우은동미연건재범가인태아상민준서현도윤예하시후주원지훈진경숙순자정혜선승기석훈환규용성종창찬"
    "빈나라다솔별빛보람혁욱식일만대한국서울부산오픈컵선권회배리그챔피언십제"
)
COMMON = {
    "cp932": frozenset(_JAPANESE),
    "euc_jp": frozenset(_JAPANESE),
    "gb18030": frozenset(_SIMPLIFIED),
    "big5": frozenset(_TRADITIONAL),
    "cp949": frozenset(_KOREAN),
}
"""Usual characters of names and tournaments, by the encodings they are written in."""

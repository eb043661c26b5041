// Elements of the page. Whatever comes from a file goes in as text, never as markup.

/** An element with its properties and what stands in it. */
export const el = (name, properties = {}, ...inside) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...inside.filter((part) => part !== null));
  return element;
};

export const button = (words, onclick, className = "") => el("button", { type: "button", className, onclick }, words);

/** A board that the program has drawn, of which it has made all text safe. */
export const drawing = (svg) => {
  const parsed = new DOMParser().parseFromString(svg, "text/html");
  return document.importNode(parsed.body.firstElementChild, true);
};

export const number = (count) => count.toLocaleString("en-US");

/** How many there are of something, in words. */
export const counted = (count, word) => `${number(count)} ${word}${count === 1 ? "" : "s"}`;

/** Hand a file to whoever looks at the page. */
export const save = (name, data, type = "application/octet-stream") => {
  const link = el("a", { href: URL.createObjectURL(new Blob([data], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};

/** The bytes of what JSON carries as text. */
export const bytes = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

const underWay = new Map(); // Of a place, what ends the work in it.

/** End all work, because what it was about is gone. */
export const endAllWork = () => underWay.forEach((ending) => ending.abort());

/** Say that work is done in a place, with a way to end it; what goes wrong is said there too. */
export const working = async (place, words, work) => {
  underWay.get(place)?.abort();
  const ending = new AbortController();
  underWay.set(place, ending);
  const said = el("span", {}, words);
  const line = el("p", { className: "working" }, el("progress", { ariaLabel: words }), said, button("Cancel", () => ending.abort()));
  place.replaceChildren(line);
  try {
    await work(ending.signal, (news) => (said.textContent = news));
    line.remove();
  } catch (error) {
    const isCancelled = ending.signal.aborted;
    line.replaceWith(el("p", { className: isCancelled ? "note" : "note error", role: "alert" }, isCancelled ? "Cancelled." : error.message));
  }
  if (underWay.get(place) === ending) underWay.delete(place);
};

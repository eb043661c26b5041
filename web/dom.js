// Elements of the page. Text from files is always inserted as text, never as markup.

/** Return a new element with its properties and content. */
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

/** Return a board drawn by the program, which has escaped all text in it. */
export const drawing = (svg) => {
  const parsed = new DOMParser().parseFromString(svg, "text/html");
  return document.importNode(parsed.body.firstElementChild, true);
};

export const number = (count) => count.toLocaleString("en-US");

/** Return a count with its noun. */
export const counted = (count, word) => `${number(count)} ${word}${count === 1 ? "" : "s"}`;

/** Offer a file for download. */
export const save = (name, data, type = "application/octet-stream") => {
  const link = el("a", { href: URL.createObjectURL(new Blob([data], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};

/** Return the bytes of a Base64 text. */
export const bytes = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

const underWay = new Map(); // The AbortController of the work in each place.

/** Cancel all work, because its files were removed. */
export const endAllWork = () => underWay.forEach((ending) => ending.abort());

/** Run work and show its progress in a place, with a button to cancel it; show errors there too. */
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

// Files the user drops or chooses, as { path, root, file }. In a folder, `path` starts with its name.

const isHidden = (path) => path.split("/").some((part) => part.startsWith("."));

const UNREADABLE = { size: 0, arrayBuffer: () => Promise.reject(new Error("the browser gives no access to it")) };

const sortByPath = (files) => files.sort((one, other) => (one.path < other.path ? -1 : Number(one.path > other.path)));

const readEntries = (folder) =>
  new Promise((resolve) => {
    const reader = folder.createReader();
    const held = [];
    const more = () =>
      reader.readEntries(
        (batch) => {
          held.push(...batch);
          if (batch.length) more();
          else resolve(held);
        },
        () => resolve(held),
      );
    more();
  });

async function* filesUnder(entry, root) {
  if (entry.isDirectory) {
    for (const held of await readEntries(entry)) yield* filesUnder(held, root);
    return;
  }
  const path = entry.fullPath.replace(/^\//, "");
  if (root && isHidden(path)) return;
  const file = await new Promise((resolve) => entry.file(resolve, () => resolve(UNREADABLE)));
  yield { path, root: root ?? path, file };
}

/** Return the dropped files, including all files in folders that are not hidden. */
export const droppedFiles = async (transfer) => {
  // The browser empties the list at the first `await`.
  const all = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const files = [];
  for (const entry of all) {
    for await (const file of filesUnder(entry, entry.isDirectory ? entry.name : null)) files.push(file);
  }
  return sortByPath(files);
};

/** Return the files chosen in a dialog of the browser. */
export const chosenFiles = (list) =>
  sortByPath(
    [...list].flatMap((file) => {
      const path = file.webkitRelativePath;
      if (!path) return [{ path: file.name, root: file.name, file }];
      return isHidden(path) ? [] : [{ path, root: path.split("/")[0], file }];
    }),
  );

/** Return the match that the page brings as an example. */
export const exampleFile = (blob) => ({ path: "example.mat", root: "example.mat", file: blob });

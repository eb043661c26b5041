// The files that are dropped or chosen, as { path, root, file }: those of a folder with their path in it.

const isHidden = (path) => path.split("/").some((part) => part.startsWith("."));

const UNREADABLE = { size: 0, arrayBuffer: () => Promise.reject(new Error("the browser does not hand it over")) };

const inOrder = (files) => files.sort((one, other) => (one.path < other.path ? -1 : Number(one.path > other.path)));

const entries = (folder) =>
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

async function* under(entry, root) {
  if (entry.isDirectory) {
    for (const held of await entries(entry)) yield* under(held, root);
    return;
  }
  const path = entry.fullPath.replace(/^\//, "");
  if (root && isHidden(path)) return;
  const file = await new Promise((resolve) => entry.file(resolve, () => resolve(UNREADABLE)));
  yield { path, root: root ?? path, file };
}

/** What is dropped, folders with all that is in them and is not hidden. */
export const dropped = async (transfer) => {
  // The list is gone once this has waited for anything.
  const all = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const files = [];
  for (const entry of all) {
    for await (const file of under(entry, entry.isDirectory ? entry.name : null)) files.push(file);
  }
  return inOrder(files);
};

/** What was chosen in a dialog of the browser. */
export const chosen = (list) =>
  inOrder(
    [...list].flatMap((file) => {
      const path = file.webkitRelativePath;
      if (!path) return [{ path: file.name, root: file.name, file }];
      return isHidden(path) ? [] : [{ path, root: path.split("/")[0], file }];
    }),
  );

// Which paths of a repository are repositories themselves, from its index: git looks into them along the way, under their own settings (B06).
// The file's layout is git's own (index-format); what cannot be read is an error, never "none".

const SIGNATURE = "DIRC";
const HEADER_BYTES = 12;
const FIXED_BYTES = 40;
const MODE_AT = 24;
const GITLINK = 0o160000;
const TYPE_BITS = 0o170000;
const EXTENDED = 0x4000;
/** Length of the name; all bits set: longer than they can say. */
const LENGTH_BITS = 0x0fff;

/** Workspace-relative paths, as git writes them. Throws when the index is none, or is kept in two files. */
export function gitlinksIn(index: Buffer, hashBytes = 20): readonly string[] {
  if (index.length < HEADER_BYTES || index.toString("latin1", 0, 4) !== SIGNATURE) throw new Error("the index is none");
  const [version, count] = [index.readUInt32BE(4), index.readUInt32BE(8)];
  if (version < 2 || version > 4) throw new Error("the index has an unknown version");
  const links: string[] = [];
  let at = HEADER_BYTES;
  let before: Buffer = Buffer.alloc(0);
  for (let n = 0; n < count; n += 1) {
    const mode = index.readUInt32BE(at + MODE_AT);
    const flags = index.readUInt16BE(at + FIXED_BYTES + hashBytes);
    const nameAt = at + FIXED_BYTES + hashBytes + 2 + ((flags & EXTENDED) === 0 || version === 2 ? 0 : 2);
    const entry = version === 4 ? packedName(index, nameAt, before) : plainName(index, { nameAt, entryAt: at, length: flags & LENGTH_BITS });
    if ((mode & TYPE_BITS) === GITLINK) links.push(entry.name.toString("utf8"));
    before = entry.name;
    at = entry.end;
  }
  refuseSplit(index, at, hashBytes);
  return links;
}

type Name = { readonly name: Buffer; readonly end: number };

/** Ends with a NUL, padded so that the entry's length is a multiple of eight. */
function plainName(index: Buffer, { nameAt, entryAt, length }: { readonly nameAt: number; readonly entryAt: number; readonly length: number }): Name {
  const stop = length < LENGTH_BITS ? nameAt + length : index.indexOf(0, nameAt);
  if (stop < 0) throw new Error("the index ends too early");
  return { name: index.subarray(nameAt, stop), end: entryAt + Math.ceil((stop - entryAt + 1) / 8) * 8 };
}

/** Version 4: how much of the name before falls away, then what is added. */
function packedName(index: Buffer, nameAt: number, before: Buffer): Name {
  let at = nameAt;
  let byte = index.readUInt8(at);
  let dropped = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = index.readUInt8((at += 1));
    dropped = ((dropped + 1) << 7) | (byte & 0x7f);
  }
  const stop = index.indexOf(0, at + 1);
  if (stop < 0 || dropped > before.length) throw new Error("the index is damaged");
  return { name: Buffer.concat([before.subarray(0, before.length - dropped), index.subarray(at + 1, stop)]), end: stop + 1 };
}

/** Then most entries stand in another file. */
function refuseSplit(index: Buffer, start: number, hashBytes: number): void {
  for (let at = start; at + 8 <= index.length - hashBytes; ) {
    if (index.toString("latin1", at, at + 4) === "link") throw new Error("the index is kept in two files");
    at += 8 + index.readUInt32BE(at + 4);
  }
}

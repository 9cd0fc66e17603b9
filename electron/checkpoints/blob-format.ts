// How contents lie in the store: named by their sha256; small ones packed together and compressed, large ones as files.
import { createHash } from "node:crypto";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { Db } from "./database.ts";

const RAW = 0;
const BROTLI = 1;
/** a packed chunk must shrink to this share to be kept compressed */
const WORTH_IT = 0.9;

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
export const hashKey = (hash: string): Buffer => Buffer.from(hash, "hex");
export const largePath = (folder: string, hash: string) => `${folder}/blobs/${hash.slice(0, 2)}/${hash}`;

export type Packed = {
  readonly codec: number;
  readonly raw: number;
  readonly data: Buffer;
  readonly blobs: readonly { readonly hash: string; readonly at: number; readonly size: number }[];
};

/** One compressed piece of many contents. */
export function packChunk(contents: readonly { readonly hash: string; readonly bytes: Uint8Array }[]): Packed {
  let raw = 0;
  const blobs = contents.map(({ hash, bytes }) => {
    const at = raw;
    raw += bytes.length;
    return { hash, at, size: bytes.length };
  });
  const whole = Buffer.concat(contents.map(({ bytes }) => bytes));
  const small = brotliCompressSync(whole, { params: { [constants.BROTLI_PARAM_QUALITY]: 0, [constants.BROTLI_PARAM_SIZE_HINT]: raw } });
  return small.length <= raw * WORTH_IT ? { codec: BROTLI, raw, data: small, blobs } : { codec: RAW, raw, data: whole, blobs };
}

/** Inside a transaction. */
export function insertChunk(db: Db, chunk: Packed): void {
  const { id } = db.run("INSERT INTO chunks(codec, raw, data) VALUES(?,?,?)", [chunk.codec, chunk.raw, chunk.data]);
  for (const { hash, at, size } of chunk.blobs) {
    db.run("INSERT OR REPLACE INTO blobs(hash, size, chunk, at, bad) VALUES(?,?,?,?,0)", [hashKey(hash), size, id, at]);
  }
}

export function unpackChunk(codec: number, data: Uint8Array): Uint8Array {
  return codec === BROTLI ? brotliDecompressSync(data) : data;
}

// What stands at one path of the workspace, as far as it is protected: compared, never mutated (K4).
import { Buffer } from "node:buffer";
import type { Checkpoint } from "#shared/checkpoints/checkpoint.ts";
import { bytesOfText, textOfBytes } from "./paths.ts";

export type WhyUncovered = Checkpoint["uncovered"][number]["why"];

export type FileEntry = { readonly kind: "file"; readonly mode: number; readonly hash: string; readonly size: number };
export type LinkEntry = { readonly kind: "link"; readonly target: string };
export type FolderEntry = {
  readonly kind: "dir";
  readonly mode: number;
  /** only what was protected before is still looked at in it: it became a dependency or build folder later */
  readonly partial: boolean;
};
/** There, but its content is not held. `token` changes when it was seen to change. */
export type OpaqueEntry = { readonly kind: "opaque"; readonly why: WhyUncovered; readonly token: string };
export type Entry = FileEntry | LinkEntry | FolderEntry | OpaqueEntry;
/** undefined: nothing stands there */
export type State = Entry | undefined;

export function sameState(a: State, b: State): boolean {
  if (a === undefined || b === undefined) return a === b;
  switch (a.kind) {
    case "file":
      return b.kind === "file" && a.hash === b.hash && a.mode === b.mode;
    case "link":
      return b.kind === "link" && a.target === b.target;
    case "dir":
      return b.kind === "dir" && a.mode === b.mode;
    case "opaque":
      return b.kind === "opaque" && a.why === b.why && a.token === b.token;
  }
}

/** The columns kind, mode, size, hash, text of a row; kind 0 is nothing. */
export type StateColumns = readonly [number, number | null, number | null, Buffer | null, Buffer | null];

const KINDS = ["none", "file", "link", "dir", "opaque"] as const;
const WHYS: readonly WhyUncovered[] = ["too_big", "dependency_folder", "unreadable", "special_file", "ignored"];

export function toColumns(state: State): StateColumns {
  if (state === undefined) return [0, null, null, null, null];
  const kind = KINDS.indexOf(state.kind);
  switch (state.kind) {
    case "file":
      return [kind, state.mode, state.size, Buffer.from(state.hash, "hex"), null];
    case "link":
      return [kind, null, null, null, bytesOfText(state.target)];
    case "dir":
      return [kind, state.mode, state.partial ? 1 : 0, null, null];
    case "opaque":
      return [kind, WHYS.indexOf(state.why), null, null, Buffer.from(state.token, "utf8")];
  }
}

export type Columns = { readonly kind: number; readonly mode: number; readonly size: number; readonly hash: Uint8Array; readonly text: Uint8Array };

export function fromColumns({ kind, mode, size, hash, text }: Columns): State {
  switch (KINDS[kind]) {
    case "file":
      return { kind: "file", mode, size, hash: Buffer.from(hash).toString("hex") };
    case "link":
      return { kind: "link", target: textOfBytes(text) };
    case "dir":
      return { kind: "dir", mode, partial: size === 1 };
    case "opaque":
      return { kind: "opaque", why: WHYS[mode] ?? "unreadable", token: Buffer.from(text).toString("utf8") };
    default:
      return undefined;
  }
}

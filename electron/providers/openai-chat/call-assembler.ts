// Puts the pieces of tool calls together. Servers number them by index, by id, by both, or by nothing (A07).
import { isObject, parseCallInput } from "#electron/providers/wire/call-input.ts";
import { count, string } from "#electron/providers/wire/json-path.ts";
import type { ModelEvent } from "#electron/providers/contract.ts";

type Call = { readonly place: number; readonly index: number | undefined; id: string; name: string; raw: string };

export interface CallAssembler {
  /** Takes one element of `delta.tool_calls`, or a whole `delta.function_call` of old servers. */
  push(piece: unknown): readonly ModelEvent[];
  readonly size: number;
  /** The calls, once the reply has ended. `cut`: it ended inside the call that grew last. */
  finish(cut: boolean): readonly ModelEvent[];
}

export function createCallAssembler(dropNulls: (tool: string, input: unknown) => unknown): CallAssembler {
  const calls: Call[] = [];
  let growing: Call | undefined;
  return {
    push: (piece) => {
      const read = readPiece(piece);
      const found = callFor(calls, growing, read);
      const call = found ?? { place: calls.length, index: read.index, id: read.id, name: read.name, raw: "" };
      if (found === undefined) calls.push(call);
      if (call.name === "") call.name = read.name;
      if (call.id === "") call.id = read.id;
      call.raw += read.args;
      growing = call;
      return read.args === "" ? [] : [{ type: "tool_input", index: call.place, name: call.name, delta: read.args }];
    },
    get size() {
      return calls.length;
    },
    finish: (cut) =>
      calls.map((call): ModelEvent => {
        const { input, invalid } = parseCallInput(call.raw, cut && call === growing);
        const head = { type: "tool_call", index: call.place, id: call.id, name: call.name } as const;
        return invalid === undefined ? { ...head, input: dropNulls(call.name, input) } : { ...head, input, invalid };
      }),
  };
}

type Piece = { readonly index: number | undefined; readonly id: string; readonly name: string; readonly args: string };

function readPiece(piece: unknown): Piece {
  const body = isObject(piece) && isObject(piece["function"]) ? piece["function"] : piece;
  const args = isObject(body) ? body["arguments"] : undefined;
  return {
    index: count(piece, "index"),
    id: string(piece, "id") ?? "",
    name: string(body, "name") ?? "",
    args: typeof args === "string" ? args : isObject(args) ? JSON.stringify(args) : "",
  };
}

/** The call a piece belongs to; undefined begins a new one. A new id is a new call, whatever its index says. */
function callFor(calls: readonly Call[], growing: Call | undefined, piece: Piece): Call | undefined {
  const sameIndex = piece.index === undefined ? undefined : calls.findLast((call) => call.index === piece.index);
  if (piece.index !== undefined && sameIndex === undefined) return undefined;
  const candidate = sameIndex ?? growing;
  if (candidate === undefined) return undefined;
  if (piece.id !== "" && candidate.id !== "" && piece.id !== candidate.id)
    return piece.index === undefined ? calls.findLast((call) => call.id === piece.id) : undefined;
  return startsAnother(candidate, piece) ? undefined : candidate;
}

/** Servers without proper numbers send one call after the other: a name where whole arguments already are begins the next. */
function startsAnother(candidate: Call, piece: Piece): boolean {
  if (piece.name === "" || !candidate.raw.trimEnd().endsWith("}")) return false;
  if (piece.args === "" && (piece.index !== undefined || piece.id !== "")) return false;
  return parseCallInput(candidate.raw).invalid === undefined;
}

// What a renderer hands to the player: pieces of an event stream, with marks that tell faults where to strike.
import type { ScriptedPart } from "./script.ts";

export type Frame = { readonly sse: string; readonly role: "start" | "delta" | "close" | "end"; readonly part: number } | { readonly waitMs: number };

export type RenderContext = {
  /** number of the request, from 0 */
  readonly n: number;
  readonly model: string;
  /** whether the request asked for a usage chunk (Chat Completions) */
  readonly wantsUsage: boolean;
};

/** A part with its place among the parts that have content. */
export type Placed = { readonly part: Exclude<ScriptedPart, { type: "wait" | "keep_alive" }>; readonly place: number; readonly toolPlace: number };

export function sseEvent(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

export function sseData(data: unknown): string {
  return `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

/** Runs `render` for each part with content and puts waits and keep-alives between, in order. */
export function framesOfParts(parts: readonly ScriptedPart[], keepAlive: string, render: (placed: Placed) => readonly Frame[]): readonly Frame[] {
  let place = 0;
  let toolPlace = 0;
  return parts.flatMap((part): readonly Frame[] => {
    if (part.type === "wait") return [{ waitMs: part.ms }];
    if (part.type === "keep_alive") return [{ sse: keepAlive, role: "close", part: place }];
    const frames = render({ part, place, toolPlace });
    place += 1;
    if (part.type === "tool") toolPlace += 1;
    return frames;
  });
}

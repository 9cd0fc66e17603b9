// Builds one reply from a provider's events. Work per delta is constant: pieces are kept and joined once, at the end.
// A thinking block keeps the place where its first delta stood, and its bytes as the provider gave them (A09).
import type { Block, Maker } from "#shared/chat/blocks.ts";
import type { StopReason } from "#shared/chat/stop-reason.ts";
import { NO_USAGE, type Usage } from "#shared/chat/usage.ts";
import type { LiveEvent } from "#shared/events/live.ts";
import type { ReplyId } from "#shared/lib/ids.ts";
import { isBlank, wellFormed } from "#shared/lib/text.ts";
import type { ModelEvent } from "#electron/providers/contract.ts";
import type { CallIntake } from "./call-intake.ts";
import type { Reply } from "./contract.ts";

export type Content = Extract<ModelEvent, { type: "text" | "thinking" | "block" | "tool_input" | "tool_call" }>;

type Piece = { readonly kind: "text" | "thinking"; readonly deltas: string[] } | { readonly kind: "block"; readonly block: Block };

export interface Collector {
  /** Takes one piece of content; answers what the screen should see of it. */
  take(event: Content): LiveEvent | undefined;
  usage(usage: Usage): void;
  readonly hasContent: boolean;
  /** arguments of a call began to arrive and the call was never completed */
  readonly halfCall: boolean;
  /** something was sent to the screen that a dropped attempt must withdraw (L22) */
  readonly shown: boolean;
  /** The reply so far; `stop` is none while its end was not seen. */
  reply(stop: StopReason): Reply;
}

export type CollectorParts = { readonly id: ReplyId; readonly by: Maker; readonly intake: CallIntake; redact(text: string): string };

export function createCollector({ id, by, intake, redact }: CollectorParts): Collector {
  const pieces: Piece[] = [];
  const inputChars = new Map<number, number>();
  let usage: Usage = NO_USAGE;
  let shown = false;
  const whole = wholeCharacters();

  const live = (type: "text_delta" | "thinking_delta", delta: string): LiveEvent | undefined => {
    const shownText = whole(delta);
    if (shownText === "") return undefined;
    shown = true;
    return { type, reply: id, text: shownText };
  };
  return {
    take(event) {
      switch (event.type) {
        case "text":
        case "thinking":
          append(pieces, event.type, event.delta);
          return live(event.type === "text" ? "text_delta" : "thinking_delta", event.delta);
        case "block":
          put(pieces, event.block);
          return undefined;
        case "tool_input": {
          const chars = (inputChars.get(event.index) ?? 0) + event.delta.length;
          inputChars.set(event.index, chars);
          shown = true;
          return { type: "tool_input_delta", reply: id, index: event.index, name: event.name, chars };
        }
        case "tool_call":
          pieces.push({ kind: "block", block: intake.offer(event) });
          return undefined;
      }
    },
    usage(seen) {
      usage = seen;
    },
    get hasContent() {
      return pieces.length > 0 || inputChars.size > 0;
    },
    get halfCall() {
      return inputChars.size > pieces.filter((piece) => piece.kind === "block" && piece.block.type === "tool_use").length;
    },
    get shown() {
      return shown;
    },
    reply: (stop) => ({ id, by, stop, usage, blocks: pieces.flatMap((piece) => blocksOf(piece, by, redact)) }),
  };
}

function append(pieces: Piece[], kind: "text" | "thinking", delta: string): void {
  const last = pieces.at(-1);
  if (last?.kind === kind) last.deltas.push(delta);
  else pieces.push({ kind, deltas: [delta] });
}

/** A finished thinking block takes the place of its deltas. */
function put(pieces: Piece[], block: Block): void {
  const place = block.type === "thinking" ? pieces.findIndex((piece) => piece.kind === "thinking") : -1;
  if (place < 0) pieces.push({ kind: "block", block });
  else pieces[place] = { kind: "block", block };
}

/** A character that a server cut in two reaches the screen whole, with the next delta (A15). */
function wholeCharacters(): (delta: string) => string {
  let carried = "";
  return (delta) => {
    const joined = carried + delta;
    const last = joined.charCodeAt(joined.length - 1);
    const cut = last >= 0xd800 && last <= 0xdbff;
    carried = cut ? joined.slice(-1) : "";
    return cut ? joined.slice(0, -1) : joined;
  };
}

function blocksOf(piece: Piece, by: Maker, redact: (text: string) => string): readonly Block[] {
  if (piece.kind === "block") return [piece.block];
  const joined = wellFormed(piece.deltas.join(""));
  if (isBlank(joined)) return [];
  // Thinking that never became a block was cut: kept to be read, not to be sent back.
  return piece.kind === "text" ? [{ type: "text", text: redact(joined) }] : [{ type: "thinking", text: joined, by, partial: true }];
}

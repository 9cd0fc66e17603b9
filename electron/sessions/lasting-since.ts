// What calls since a point did beyond the folder: said before a roll-back, because it stays (K6). Pure.
import type { Irreversible } from "#shared/checkpoints/checkpoint.ts";
import type { TurnId } from "#shared/lib/ids.ts";
import { oneLine } from "#shared/lib/text.ts";
import type { CallView, SessionView } from "#shared/session/view.ts";

const MOST = 12;
const DETAIL_CHARS = 200;

/** `at`: ms since the epoch; `turns`: only calls of these. Each fact once, the newest last; what is too much is counted. */
export function lastingSince({ calls }: Pick<SessionView, "calls">, at: number, turns: readonly TurnId[] | undefined): readonly Irreversible[] {
  const found = new Map<string, Irreversible>();
  for (const call of Object.values(calls)) {
    if (call.startedAt === undefined || call.startedAt < at || (turns !== undefined && !turns.includes(call.turn))) continue;
    for (const effect of call.begun?.lasting ?? []) {
      const detail = oneLine(effect.kind === "command" ? commandOf(call) : effect.target, DETAIL_CHARS);
      found.set(`${effect.kind} ${detail}`, { kind: effect.kind, detail });
    }
  }
  const all = [...found.values()];
  const shown = all.slice(-MOST);
  return all.length === shown.length ? shown : [{ kind: "more", detail: String(all.length - shown.length) }, ...shown];
}

function commandOf({ input, tool }: CallView): string {
  return typeof input === "object" && input !== null && "command" in input && typeof input.command === "string" ? input.command : tool;
}

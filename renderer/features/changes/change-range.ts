// From which checkpoint on one looks at changes. Pure.
import type { CheckpointId, TurnId } from "#shared/lib/ids.ts";
import type { TrailNode } from "#shared/session/view.ts";

export type ChangeScope = "turn" | "session";

export function changeRange(trail: readonly TrailNode[], scope: ChangeScope, turn: TurnId | undefined): CheckpointId | undefined {
  if (scope === "session") return trail[0]?.checkpoint.id;
  return trail.find((node) => node.checkpoint.cause.turn === turn)?.checkpoint.id;
}

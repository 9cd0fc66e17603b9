// Where each stone lies. Pure: newest at the bottom, size by change, a path that was left drawn to the left.
import type { Checkpoint, FileChange } from "#shared/checkpoints/checkpoint.ts";
import type { CheckpointId } from "#shared/lib/ids.ts";
import type { TrailNode } from "#shared/session/view.ts";

export type Stone = {
  readonly id: CheckpointId;
  readonly node: TrailNode;
  readonly x: number;
  readonly y: number;
  readonly rx: number;
  readonly ry: number;
  readonly by: "agent" | "you" | "start";
};
export type Link = { readonly id: string; readonly path: string };
export type Trail = { readonly stones: readonly Stone[]; readonly links: readonly Link[]; readonly height: number };

export const TRAIL_WIDTH = 58;
const MAIN_X = 36;
const LEFT_X = 17;
const EDGE_PX = 30;
const NEAREST_PX = 30;
const FARTHEST_PX = 74;
const SMALLEST_RX = 6.5;
const LARGEST_RX = 12.5;

/** Stones for a column `room` px high; taller when there are many. */
export function trailOf(nodes: readonly TrailNode[], room: number): Trail {
  const gap = nodes.length < 2 ? FARTHEST_PX : Math.max(NEAREST_PX, Math.min(FARTHEST_PX, (room - 2 * EDGE_PX) / (nodes.length - 1)));
  const height = Math.max(room, 2 * EDGE_PX + gap * Math.max(0, nodes.length - 1));
  const stones = nodes.map((node, index): Stone => {
    const rx = stoneSize(node.checkpoint.changes);
    const y = height - EDGE_PX - gap * (nodes.length - 1 - index);
    return { id: node.checkpoint.id, node, x: node.left ? LEFT_X : MAIN_X, y, rx, ry: rx * 0.64, by: madeBy(node.checkpoint) };
  });
  return { stones, links: linksOf(stones, height), height };
}

/** Half width: grows with the logarithm of changed lines, so that one big change does not dwarf the rest. */
export function stoneSize(changes: readonly FileChange[]): number {
  const lines = changes.reduce((sum, change) => sum + change.added + change.removed + 1, 0);
  return Math.min(LARGEST_RX, SMALLEST_RX + Math.log2(1 + lines) * 0.95);
}

/** Who made the changes it holds: "you" if any is the person's, else the agent; the first stone holds no change at all. */
export function madeBy({ changes, cause }: Checkpoint): Stone["by"] {
  if (cause.kind === "person" || cause.kind === "rollback" || changes.some((change) => change.by === "person")) return "you";
  return changes.length === 0 ? "start" : "agent";
}

function linksOf(stones: readonly Stone[], height: number): readonly Link[] {
  const byId = new Map(stones.map((stone) => [stone.id, stone]));
  const links = stones.flatMap((stone, index): readonly Link[] => {
    const { parent } = stone.node;
    const from = (parent === undefined ? undefined : byId.get(parent)) ?? stones[index - 1];
    if (from === undefined) return [];
    const middle = Math.min(from.y + 34, stone.y);
    const path =
      from.x === stone.x
        ? `M${from.x} ${from.y}V${stone.y}`
        : `M${from.x} ${from.y}C${from.x} ${middle - 10} ${stone.x} ${from.y + 10} ${stone.x} ${middle}V${stone.y}`;
    return [{ id: stone.id, path }];
  });
  const last = stones.findLast((stone) => !stone.node.left);
  return last === undefined ? links : [...links, { id: "end", path: `M${MAIN_X} ${last.y}V${height}` }];
}

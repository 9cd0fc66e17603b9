// The person's goal over one turn (L12): set from `/goal` in a prompt, let go when its budget is spent, and what the turn used of it
// is recorded at its end.
import type { Block } from "#shared/chat/blocks.ts";
import { freshTokens } from "#shared/chat/usage.ts";
import { noteBlock } from "#shared/chat/note.ts";
import type { TurnEnd } from "#shared/loop/turn-end.ts";
import type { Goal } from "#shared/loop/work-state.ts";
import type { LoopEvent, TurnStart } from "#electron/loop/contract.ts";
import { goalUsed } from "#electron/loop/goal-budget.ts";
import type { TurnEnv } from "#electron/sessions/contract.ts";
import { parseGoalPrompt } from "./goal-prompt.ts";
import { goalClearedText, goalSetText } from "./turn-goal.text.ts";

type Loop = AsyncGenerator<LoopEvent, TurnEnd, void>;

type Heeded = { readonly said?: string; readonly warning?: LoopEvent };

export interface TurnGoal {
  /** Runs `loop` with the goal that the prompt sets, if it sets one. */
  run(start: TurnStart, loop: (start: TurnStart) => Loop): Loop;
  /** its budget is spent; recorded honestly (L8) */
  letGo(): void;
}

/** For one turn; not to be used for another. `othersTokens`: fresh tokens that sub-agents used in it. */
export function createTurnGoal(env: Pick<TurnEnv, "view" | "append">, othersTokens: () => number): TurnGoal {
  let letGoing: Promise<void> = Promise.resolve();
  let tokens = 0;
  let open = env.view().goal?.state === "open";

  const heed = async (blocks: readonly Block[]): Promise<Heeded> => {
    const asked = blocks.flatMap((block) => (block.type === "text" ? (parseGoalPrompt(block.text) ?? []) : [])).at(-1);
    if (asked === undefined) return {};
    const doubt = asked.kind === "clear" ? undefined : asked.doubt;
    const warning: Heeded = doubt === undefined ? {} : { warning: { type: "warning", notice: doubt } };
    if (asked.kind === "none") return warning;
    open = asked.kind === "set";
    await keepGoal(env, asked.kind === "set" ? asked.goal : null);
    return { ...warning, said: asked.kind === "set" ? goalSetText(asked.goal) : goalClearedText() };
  };
  const watch = async (event: LoopEvent): Promise<LoopEvent | undefined> => {
    if (event.type === "steer") return (await heed(event.blocks)).warning;
    if (event.type === "reply") tokens += freshTokens(event.reply.usage);
    return undefined;
  };
  const keepUsed = async (steps: number): Promise<void> => {
    await letGoing;
    const { goal } = env.view();
    if (open && goal !== undefined) await keepGoal(env, { ...goal, used: goalUsed(goal, { step: steps, spentTokens: tokens + othersTokens() }) });
  };
  return {
    async *run(start, loop) {
      const { said, warning } = await heed(start.prompt.blocks);
      if (warning !== undefined) yield warning;
      if (said !== undefined) yield { type: "note", step: 0, source: "goal", text: said };
      const noted = said === undefined ? [] : [noteBlock({ source: "goal", text: said })];
      const running = loop({ ...start, prompt: { ...start.prompt, blocks: [...start.prompt.blocks, ...noted] } });
      try {
        for (;;) {
          const next = await running.next();
          if (next.done) {
            await keepUsed(next.value.steps);
            return next.value;
          }
          const also = await watch(next.value);
          yield next.value;
          if (also !== undefined) yield also;
        }
      } finally {
        // The consumer let go in the middle: so must the loop, which does nothing when it has ended.
        await running.return(ABANDONED);
      }
    },
    letGo() {
      const { goal } = env.view();
      if (goal !== undefined) letGoing = keepGoal(env, { ...goal, state: "let_go" });
    },
  };
}

const ABANDONED: TurnEnd = { why: "failed", steps: 0, requests: 0, lostSteps: 0 };

function keepGoal(env: Pick<TurnEnv, "append">, goal: Goal | null): Promise<void> {
  return env.append([{ v: 1, type: "goal_changed", goal }]);
}

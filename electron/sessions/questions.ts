// Open questions of a session: asked in the log, answered by the person, cancelled when their turn ends.
import type { QuestionId, TurnId } from "#shared/lib/ids.ts";
import type { PermissionAnswer, PermissionQuestion } from "#shared/permissions/question.ts";
import type { SessionCore } from "./session-core.ts";

export interface Questions {
  /** Waits for the answer; undefined when the signal aborted first. */
  ask(turn: TurnId, question: PermissionQuestion, signal: AbortSignal): Promise<PermissionAnswer | undefined>;
  /** False when no such question is open. */
  answer(question: QuestionId, answer: PermissionAnswer): boolean;
}

export function createQuestions(core: SessionCore): Questions {
  const open = new Map<QuestionId, (answer: PermissionAnswer) => void>();
  return {
    async ask(turn, question, signal) {
      if (signal.aborted) return undefined;
      let onAbort = () => {};
      const answered = new Promise<PermissionAnswer | undefined>((resolve) => {
        open.set(question.id, resolve);
        onAbort = () => resolve(undefined);
        signal.addEventListener("abort", onAbort, { once: true });
      });
      try {
        await core.append([{ v: 1, type: "permission_asked", turn, question }]);
        const answer = await answered;
        await core.append([
          { v: 1, type: "permission_answered", turn, question: question.id, call: question.call, answer: answer ?? { behavior: "cancelled" } },
        ]);
        return answer;
      } finally {
        open.delete(question.id);
        signal.removeEventListener("abort", onAbort);
      }
    },
    answer(question, answer) {
      const resolve = open.get(question);
      open.delete(question);
      resolve?.(answer);
      return resolve !== undefined;
    },
  };
}

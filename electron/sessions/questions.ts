// Open questions of a session: asked in the log, answered by the person, cancelled when their turn ends.
import type { SessionEvent } from "#shared/events/durable.ts";
import type { QuestionId, TurnId } from "#shared/lib/ids.ts";
import type { PermissionAnswer, PermissionQuestion } from "#shared/permissions/question.ts";
import { fitsQuestion, PersonAnswer, type PersonQuestion } from "#shared/questions/question.ts";
import { redactAll } from "#electron/lib/redaction.ts";
import type { SessionCore } from "./session-core.ts";

export interface Questions {
  /** Waits for the answer; undefined when the signal aborted first. */
  ask(turn: TurnId, question: PermissionQuestion, signal: AbortSignal): Promise<PermissionAnswer | undefined>;
  /** The same for a question that is no permission (T16). */
  askPerson(turn: TurnId, question: PersonQuestion, signal: AbortSignal): Promise<PersonAnswer | undefined>;
  /** False when no such question is open. */
  answer(question: QuestionId, answer: PermissionAnswer): boolean;
  answerPerson(question: QuestionId, answer: PersonAnswer): "answered" | "unknown_question" | "unfit";
}

/** `redact`: keys in what the person writes beside an answer reach neither log nor model (R3). */
export function createQuestions(core: SessionCore, redact: (text: string) => string): Questions {
  const permissions = new Map<QuestionId, (answer: PermissionAnswer) => void>();
  const persons = new Map<QuestionId, { readonly question: PersonQuestion; readonly resolve: (answer: PersonAnswer) => void }>();
  return {
    async ask(turn, question, signal) {
      const { id, call } = question;
      return await waitFor<PermissionAnswer>(core, signal, {
        open: (resolve) => void permissions.set(id, resolve),
        close: () => void permissions.delete(id),
        asked: { v: 1, type: "permission_asked", turn, question },
        answered: (answer) => ({ v: 1, type: "permission_answered", turn, question: id, call, answer: answer ?? { behavior: "cancelled" } }),
      });
    },
    async askPerson(turn, question, signal) {
      const { id, call } = question;
      return await waitFor<PersonAnswer>(core, signal, {
        open: (resolve) => void persons.set(id, { question, resolve }),
        close: () => void persons.delete(id),
        asked: { v: 1, type: "person_asked", turn, question },
        answered: (answer) => ({ v: 1, type: "person_answered", turn, question: id, call, answer: answer ?? { kind: "cancelled" } }),
      });
    },
    answer(question, answer) {
      const resolve = permissions.get(question);
      permissions.delete(question);
      resolve?.("why" in answer && answer.why !== undefined ? { ...answer, why: redact(answer.why) } : answer);
      return resolve !== undefined;
    },
    answerPerson(id, answer) {
      const open = persons.get(id);
      if (open === undefined) return "unknown_question";
      if (!fitsQuestion(open.question, answer)) return "unfit";
      persons.delete(id);
      open.resolve(PersonAnswer.parse(redactAll(answer, redact)));
      return "answered";
    },
  };
}

type Waiting<A> = {
  open(resolve: (answer: A) => void): void;
  close(): void;
  readonly asked: SessionEvent;
  /** undefined: nobody answered */
  answered(answer: A | undefined): SessionEvent;
};

async function waitFor<A>(core: SessionCore, signal: AbortSignal, waiting: Waiting<A>): Promise<A | undefined> {
  if (signal.aborted) return undefined;
  let onAbort = () => {};
  const answered = new Promise<A | undefined>((resolve) => {
    waiting.open(resolve);
    onAbort = () => resolve(undefined);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    await core.append([waiting.asked]);
    const answer = await answered;
    await core.append([waiting.answered(answer)]);
    return answer;
  } finally {
    waiting.close();
    signal.removeEventListener("abort", onAbort);
  }
}

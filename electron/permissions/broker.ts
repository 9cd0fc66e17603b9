// The person (P5): equal calls share one question, a remembered answer or a new mode releases the others that wait,
// and every wait is counted and closed (L21). Whatever breaks here refuses.
import { stableJson } from "#shared/lib/stable-json.ts";
import type { CallId, QuestionId } from "#shared/lib/ids.ts";
import type { PermissionAnswer, PermissionQuestion, RuleScope } from "#shared/permissions/question.ts";
import type { PermissionBroker, PermissionQuery, Verdict } from "./contract.ts";
import { makeQuestion } from "./question.ts";

export type BrokerDeps = {
  /** Shows the question; `undefined` when the signal aborted first, which also withdraws it from the screen. */
  ask(question: PermissionQuestion, signal: AbortSignal): Promise<PermissionAnswer | undefined>;
  /** the chain again, with the mode and the rules of now */
  recheck(query: PermissionQuery): Promise<Verdict>;
  remember(rule: string, scope: RuleScope): Promise<void>;
  /** the answer holds for this time, but could not be saved */
  notRemembered(rule: string, error: unknown): void;
  readonly personWait: { open(): Disposable };
  newQuestionId(): QuestionId;
  checkpointTaken(call: CallId): boolean;
  readonly platform: string;
};

export interface SessionBroker extends PermissionBroker {
  /** Asks the chain again about everything that waits; call it when mode or rules change. */
  recheckPending(): Promise<void>;
  /** how many questions wait for an answer */
  pending(): number;
}

type Waiting = {
  readonly query: PermissionQuery;
  readonly askedAgain: boolean;
  readonly withdraw: AbortController;
  readonly release: (answer: PermissionAnswer) => void;
  answer: Promise<PermissionAnswer | undefined>;
  askers: number;
};

export function createPermissionBroker(deps: BrokerDeps): SessionBroker {
  const waiting = new Map<string, Waiting>();

  const recheckPending = async (): Promise<void> => {
    for (const one of waiting.values()) {
      const said = await deps.recheck(one.query).catch(() => undefined);
      if (said?.behavior === "allow") one.release({ behavior: "allow" });
      else if (said?.behavior === "deny" && !one.askedAgain) one.release({ behavior: "deny", why: said.reason });
    }
  };

  const open = (key: string, query: PermissionQuery, verdict: Verdict, refusals: number): Waiting => {
    const withdraw = new AbortController();
    const released = deferred<PermissionAnswer>();
    const one: Waiting = { query, askedAgain: refusals > 0, withdraw, release: released.resolve, answer: Promise.resolve(undefined), askers: 0 };
    waiting.set(key, one);
    const settle = async (): Promise<PermissionAnswer | undefined> => {
      try {
        const question = await makeQuestion(query, verdict, {
          id: deps.newQuestionId(),
          refusals,
          checkpointTaken: deps.checkpointTaken(query.call),
          platform: deps.platform,
        });
        const answer = await waitFor(deps, question, withdraw.signal, released.promise);
        waiting.delete(key);
        return await keep(deps, answer, question, recheckPending);
      } catch (error) {
        return { behavior: "deny", why: `The question could not be shown: ${error instanceof Error ? error.message : String(error)}` };
      } finally {
        if (waiting.get(key) === one) waiting.delete(key);
        withdraw.abort();
      }
    };
    one.answer = settle();
    return one;
  };

  return {
    async ask(query, verdict, refusals, signal) {
      if (signal.aborted) return undefined;
      const key = shareKey(query, verdict);
      const one = waiting.get(key) ?? open(key, query, verdict, refusals);
      one.askers += 1;
      try {
        return await untilAborted(one.answer, signal);
      } finally {
        one.askers -= 1;
        if (one.askers === 0) one.withdraw.abort();
      }
    },
    recheckPending,
    pending: () => waiting.size,
  };
}

async function waitFor(
  deps: BrokerDeps,
  question: PermissionQuestion,
  signal: AbortSignal,
  released: Promise<PermissionAnswer>,
): Promise<PermissionAnswer | undefined> {
  const wait = deps.personWait.open();
  try {
    return await Promise.race([deps.ask(question, signal), released]);
  } finally {
    wait[Symbol.dispose]();
  }
}

// Only a rule that was offered is saved: what the person saw is what is remembered.
async function keep(
  deps: BrokerDeps,
  answer: PermissionAnswer | undefined,
  question: PermissionQuestion,
  recheckPending: () => Promise<void>,
): Promise<PermissionAnswer | undefined> {
  if (answer?.behavior !== "allow" || answer.remember === undefined) return answer;
  const { rule, scope } = answer.remember;
  if (!question.suggestions.includes(rule)) return { behavior: "allow" };
  try {
    await deps.remember(rule, scope);
  } catch (error) {
    deps.notRemembered(rule, error);
    return { behavior: "allow" };
  }
  await recheckPending();
  return answer;
}

// Reads of one thing are one question whatever part is read; anything else must be the same call to the letter.
function shareKey(query: PermissionQuery, verdict: Verdict): string {
  const target = query.parsed ? query.tool.permissionTarget?.(query.input, query.place, query.facts) : undefined;
  const what = query.traits.readOnly && target !== undefined ? target : stableJson(query.input);
  return JSON.stringify([query.tool.name, verdict.by, verdict.reason, verdict.about ?? "", target ?? "", what]);
}

async function untilAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = deferred<undefined>();
  const onAbort = () => aborted.resolve(undefined);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([answer, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let settle: ((value: T) => void) | undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value) => settle?.(value) };
}

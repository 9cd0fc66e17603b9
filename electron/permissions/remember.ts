// Remembered approvals of all sessions (P5): which rules hold where, and how they are given and taken back.
import type { SessionId } from "#shared/lib/ids.ts";
import type { RuleScope } from "#shared/permissions/question.ts";
import type { Notice } from "#shared/loop/turn-end.ts";
import { parseRule, parseRules } from "#shared/permissions/rule.ts";
import type { RememberedRule } from "#shared/permissions/rule-remembered.ts";
import type { Clock } from "#electron/lib/clock.ts";
import { ruleNotices } from "./rule-problems.ts";

export interface RuleStore {
  /** where the person can look at it */
  readonly path: string;
  /** What cannot be read is left in place and reported. */
  load(): Promise<{ readonly rules: readonly RememberedRule[]; readonly problems: readonly Notice[] }>;
  /** Replaces the stored rules; rejects when they could not be saved. */
  save(rules: readonly RememberedRule[]): Promise<void>;
}

export interface SessionRules {
  /** allow rules in force for this session, newest last */
  allow(): readonly string[];
  /** Resolves once it is saved; rejects for what is no rule, or when the store fails (it is then not in force). */
  remember(rule: string, scope: RuleScope): Promise<void>;
  used(rules: readonly string[]): void;
}

export interface RememberedRules {
  forSession(session: SessionId, folder: string): SessionRules;
  list(): readonly RememberedRule[];
  /** The rule stops at once, before it is gone from the store. */
  revoke(rule: RememberedRule): Promise<void>;
  /** A deleted session takes its rules along. */
  forgetSession(session: SessionId): Promise<void>;
  /** Tells of every rule given or taken back. */
  follow(listener: () => void): Disposable;
  /** Keeps when rules were used last; never rejects. */
  flush(): Promise<void>;
  /** rules that have no effect, and what was wrong with the store */
  problems(): readonly Notice[];
}

/** Loads the stored rules first; a store that fails means no remembered rules, never an error. */
export async function createRememberedRules(deps: { readonly store: RuleStore; readonly clock: Clock }): Promise<RememberedRules> {
  const { store } = deps;
  const loaded = await store.load().catch((error: unknown) => ({
    rules: [],
    problems: [{ key: "notices.approvals_unreadable", params: { path: store.path, reason: error instanceof Error ? error.message : String(error) } }],
  }));
  let rules: readonly RememberedRule[] = loaded.rules;
  let saving: Promise<void> = Promise.resolve();
  let unsavedUse = false;
  const listeners = new Set<() => void>();
  const tell = () => listeners.forEach((listener) => listener());

  const save = (): Promise<void> => {
    unsavedUse = false;
    saving = saving.catch(() => {}).then(() => store.save(rules));
    return saving;
  };
  const now = () => new Date(deps.clock.now()).toISOString();

  return {
    forSession: (session, folder) => ({
      allow: () => rules.filter((one) => holdsIn(one, session, folder)).map((one) => one.rule),
      async remember(rule, scope) {
        if (parseRule(rule) === undefined) throw new Error(`Not a rule: ${rule.slice(0, 200)}`);
        const given: RememberedRule = { rule, scope, ...(scope === "folder" ? { folder } : {}), session, grantedAt: now() };
        const before = rules;
        rules = [...rules.filter((one) => !isSame(one, given)), given];
        await save().catch((error: unknown) => {
          rules = [...before.filter((one) => isSame(one, given)), ...rules.filter((one) => one !== given)];
          throw error;
        });
        tell();
      },
      used(names) {
        const isUsed = (one: RememberedRule) => names.includes(one.rule) && holdsIn(one, session, folder);
        unsavedUse ||= rules.some(isUsed);
        rules = rules.map((one) => (isUsed(one) ? { ...one, lastUsed: now() } : one));
      },
    }),
    list: () => rules,
    async revoke(rule) {
      rules = rules.filter((one) => !isSame(one, rule));
      tell();
      await save();
    },
    async forgetSession(session) {
      const kept = rules.filter((one) => one.scope !== "session" || one.session !== session);
      if (kept.length === rules.length) return;
      rules = kept;
      tell();
      await save();
    },
    follow(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    async flush() {
      if (unsavedUse) await save().catch(() => {});
    },
    problems: () => [...loaded.problems, ...ruleNotices(problemsOf(rules), store.path)],
  };
}

function problemsOf(rules: readonly RememberedRule[]) {
  return parseRules(
    rules.map((one) => one.rule),
    true,
  ).problems;
}

function holdsIn(rule: RememberedRule, session: SessionId, folder: string): boolean {
  if (rule.scope === "everywhere") return true;
  return rule.scope === "folder" ? rule.folder === folder : rule.session === session;
}

function isSame(a: RememberedRule, b: RememberedRule): boolean {
  return a.rule === b.rule && a.scope === b.scope && a.folder === b.folder && (a.scope !== "session" || a.session === b.session);
}

// The hypothesis tool (L13): a ledger of claims. What would prove a claim wrong is fixed when it is registered.
import { z } from "zod";
import { err, ok, type Result } from "#shared/lib/result.ts";
import type { Hypothesis } from "#shared/loop/work-state.ts";
import type { Tool, ToolReturn } from "#electron/tools/contract.ts";
import { defineTool } from "#electron/tools/define.ts";
import { OWN_WORDS, TOUCHES_NOTHING } from "./declared.ts";
import { HYPOTHESIS_TEXT } from "./work-tools.text.ts";

const MAX_HYPOTHESES = 50;
const MAX_CHARS = 500;
const MAX_EVIDENCE_CHARS = 1_000;
const NEEDED = { register: ["claim", "falsifier"], confirm: ["id", "evidence"], refute: ["id", "evidence"], list: [] } as const;
const FIELDS = ["claim", "falsifier", "id", "evidence"] as const;

const words = z.string().trim().min(1).max(MAX_CHARS).optional();
const Input = z
  .strictObject({
    action: z.enum(["register", "confirm", "refute", "list"]),
    claim: words,
    falsifier: words,
    id: z.string().trim().min(1).optional(),
    evidence: z.string().trim().min(1).max(MAX_EVIDENCE_CHARS).optional(),
  })
  .superRefine((input, cx) => {
    const needed: readonly string[] = NEEDED[input.action];
    for (const field of FIELDS) {
      const given = input[field] !== undefined;
      if (given === needed.includes(field)) continue;
      const message = given
        ? `does not belong to "${input.action}"; a claim and its falsifier are fixed, register a new hypothesis instead`
        : `"${input.action}" needs it, as a string`;
      cx.addIssue({ code: "custom", path: [field], message });
    }
  });
type Input = z.infer<typeof Input>;

export type HypothesisDeps = {
  hypotheses(): readonly Hypothesis[];
  /** keeps the whole ledger; it has taken place when it resolves */
  readonly onHypotheses: (items: readonly Hypothesis[]) => Promise<void>;
};

export function createHypothesisTool(deps: HypothesisDeps): Tool {
  return defineTool({
    name: "hypothesis",
    schemaVersion: 1,
    input: Input,
    text: HYPOTHESIS_TEXT,
    display: "summary",
    // It changes the conversation's own state only; ids are given in order, so never two at once.
    ...TOUCHES_NOTHING,
    ...OWN_WORDS,
    isConcurrencySafe: () => false,
    call: async (input): Promise<ToolReturn> => {
      const before = deps.hypotheses();
      const changed = changedBy(input, before);
      if (!changed.ok) return { ok: false, failure: { kind: "tool_error", retryable: true, message: changed.error } };
      const { items, said } = changed.value;
      if (items !== before) await deps.onHypotheses(items);
      const text = ledger(items);
      return { ok: true, forModel: [{ type: "text", text: `${said}${text}` }], view: { kind: "text", text } };
    },
  });
}

type Change = Result<{ readonly items: readonly Hypothesis[]; readonly said: string }, string>;

function changedBy(input: Input, before: readonly Hypothesis[]): Change {
  switch (input.action) {
    case "list":
      return ok({ items: before, said: "" });
    case "register":
      return register(input, before);
    case "confirm":
    case "refute":
      return decide(input, before);
  }
}

function register({ claim = "", falsifier = "" }: Input, before: readonly Hypothesis[]): Change {
  if (before.length >= MAX_HYPOTHESES) return err(`There are ${MAX_HYPOTHESES} hypotheses already; work with those.`);
  const same = before.find((one) => one.claim.toLowerCase() === claim.toLowerCase());
  if (same !== undefined) return err(`This claim is ${same.id} (${same.state}) already, and its falsifier cannot be changed: ${same.falsifier}`);
  const id = `h${before.length + 1}`;
  return ok({ items: [...before, { id, claim, falsifier, state: "open" }], said: `Registered as ${id}.\n` });
}

/** What was confirmed may still be refuted by later evidence; what was refuted stays so. */
function decide({ action, id, evidence = "" }: Input, before: readonly Hypothesis[]): Change {
  const found = before.find((one) => one.id === id);
  if (found === undefined) {
    const known = before.map((one) => one.id).join(", ");
    return err(`There is no hypothesis "${id ?? ""}". ${known === "" ? "Register one first." : `Use one of: ${known}.`}`);
  }
  const state = action === "confirm" ? "confirmed" : "refuted";
  if (found.state === "refuted") return err(`${found.id} was refuted and stays so. If you now hold something else, register it as a new hypothesis.`);
  return ok({ items: before.map((one) => (one === found ? { ...one, state, evidence } : one)), said: `${found.id} is ${state}.\n` });
}

function ledger(items: readonly Hypothesis[]): string {
  if (items.length === 0) return "No hypotheses are registered.";
  return items.map((one) => `${one.id} [${one.state}] ${one.claim}\n   ${factOf(one)}`).join("\n");
}

function factOf({ evidence, falsifier }: Hypothesis): string {
  return evidence === undefined ? `wrong if: ${falsifier}` : `evidence: ${evidence}`;
}

// The golden tapes of the loop: for every reason to continue, every end and every fault a scripted model. Each entry makes fresh state.
import { text, type Message } from "#shared/chat/blocks.ts";
import type { Goal, Hypothesis, TodoItem } from "#shared/loop/work-state.ts";
import type { HookOutcome } from "#electron/hooks/contract.ts";
import type { EndGate, LoopDeps } from "#electron/loop/contract.ts";
import { createEndGates } from "#electron/loop/gates.ts";
import { createInterventions } from "#electron/loop/interventions.ts";
import { DEFAULT_CAPS } from "#electron/loop/limits.ts";
import { createSpendMeter, type SpendLimits } from "#electron/loop/spend.ts";
import type { ProviderFailure } from "#electron/providers/contract.ts";
import { plainContext, type TapeOptions, type ToolBehaviour } from "./event-recorder.ts";
import { PERSON_TAPES } from "./person-tapes.ts";
import { createScriptedProvider } from "./scripted-provider.ts";
import { callPart, calls, fails, says, type Fault, type ScriptedReply } from "#electron/testkit/server/script.ts";

const ok =
  (output: string): ToolBehaviour =>
  async () => ({ ok: true, forModel: [text(output)] });
const forever = (reply: ScriptedReply) => () => reply;
const faulty = (fault: Fault, ...parts: NonNullable<ScriptedReply["parts"]>): ScriptedReply => ({ parts, fault });
const failure = (one: ProviderFailure): ScriptedReply => faulty({ kind: "failure", failure: one });
const silent = (stop: ScriptedReply["stop"]): ScriptedReply => ({ parts: [], ...(stop === undefined ? {} : { stop }) });
const LONG = "words ".repeat(100);
/** Never silent, never done. */
const dripping: ScriptedReply = { parts: [{ type: "text", text: "x".repeat(60), chunk: 1 }], pace: { everyMs: 100_000 } };
const TOO_LONG: ProviderFailure = { kind: "context_window", retryable: false, status: 400, message: "prompt is too long: 210000 tokens > 200000 maximum" };

type Work = { todos: readonly TodoItem[]; hypotheses: readonly Hypothesis[]; goal: Goal | undefined; hooks: HookOutcome[][] };

/** Gates and interventions over a work state that the tape's tools may change. */
function gated(work: Partial<Work>, change: Partial<LoopDeps> = {}): { readonly work: Work; readonly deps: () => Partial<LoopDeps> } {
  const state: Work = { todos: [], hypotheses: [], goal: undefined, hooks: [], ...work };
  const read = { todos: () => state.todos, hypotheses: () => state.hypotheses, goal: () => state.goal };
  const deps = () => {
    const gates: readonly EndGate[] = createEndGates({
      ...read,
      caps: DEFAULT_CAPS,
      stopEvent: "Stop",
      goalLetGo: () => {
        if (state.goal !== undefined) state.goal = { ...state.goal, state: "let_go" };
      },
      hooks: { run: async () => state.hooks.shift() ?? [] },
    });
    return { gates, interventions: createInterventions(read), ...change };
  };
  return { work: state, deps };
}

/** A context in which an overflow can be mended by dropping all but the prompt. */
const mending = (fails = false): Partial<LoopDeps> => ({
  context: plainContext([], {
    fit: async (history, _info, mode) => {
      if (mode === "thresholds") return { kind: "fits" };
      if (fails) return { kind: "failed", why: "no_gain", biggest: [{ name: "message", tokens: 210_000 }] };
      const shorter: readonly Message[] = [{ role: "user", blocks: [text("short now")] }];
      return { kind: "compacted", before: 1_000, after: 10, layers: [5], history: mode === "lighten" ? history : shorter };
    },
    returningNotes: async () => [{ source: "todos", text: "- [pending] one" }],
  }),
});

const person = (answer: "go_on" | "stop"): Partial<LoopDeps> => ({ askPerson: async () => answer });
const unknownTool = calls("frobnicate", { x: 1 });

export const TAPES: Readonly<Record<string, () => TapeOptions>> = {
  ...PERSON_TAPES,

  // plain
  "end-answered": () => ({ script: [says("Hello.")] }),
  "reason-tool_use": () => ({
    script: [
      { parts: [callPart("read", { file_path: "a" }), callPart("read", { file_path: "b" })] },
      calls("write", { file_path: "a", content: "x" }),
      says("Done."),
    ],
  }),

  // output limit
  "reason-max_tokens_escalate": () => ({ script: [says(LONG, { stop: "max_tokens" }), says("and the rest.")] }),
  "reason-max_tokens_continuation": () => ({
    info: { maxOutputCeiling: 8_192 },
    script: [says(LONG, { stop: "max_tokens" }), says(LONG, { stop: "max_tokens" }), says("The end.")],
  }),
  "end-cut-little-progress": () => ({
    script: [says(LONG, { stop: "max_tokens" }), ...Array.from({ length: 3 }, () => says("a bit", { stop: "max_tokens" }))],
  }),
  "end-cut-output-limit": () => ({ script: forever(says(LONG, { stop: "max_tokens" })) }),
  "fault-half-call": () => ({
    script: forever({
      parts: [
        { type: "text", text: "I write it." },
        { type: "tool", name: "write", raw: '{"file_path":"README.md","content":"# Title' },
      ],
      stop: "max_tokens",
    }),
  }),
  "fault-half-call-then-well": () => ({
    script: [{ parts: [callPart("read", { file_path: "a" }), { type: "tool", name: "write", raw: '{"file_path":"R' }], stop: "max_tokens" }, says("Fine.")],
  }),
  "fault-call-without-arguments-cut": () => ({ script: [{ parts: [{ type: "tool", name: "ls", raw: "" }], stop: "max_tokens" }, says("Fine.")] }),
  "stop-pause": () => ({ script: [says("Searching", { stop: "pause" }), says("Found it.")] }),

  // too long
  "reason-reactive_compact": () => ({ script: [failure(TOO_LONG), says("Fits now.")], deps: () => mending() }),
  "fault-too-long-for-ever": () => ({ script: forever(failure(TOO_LONG)), deps: () => mending() }),
  "fault-too-long-nothing-to-cut": () => ({ script: forever(failure(TOO_LONG)), deps: () => mending(true) }),
  "fault-413": () => ({ script: [fails(413), says("Smaller.")], deps: () => mending() }),
  "reason-context_overflow_retry": () => ({ script: [says("half of it", { stop: "context_window" }), says("All of it.")], deps: () => mending() }),
  "fault-window-full-for-ever": () => ({ script: forever(says("half of it", { stop: "context_window" })), deps: () => mending() }),

  // time-outs, cut and empty streams
  "reason-timeout_retry": () => ({ script: [faulty({ kind: "hang", when: "after_headers" }), says("Back.")] }),
  "fault-hang-before-headers": () => ({ script: [faulty({ kind: "hang", when: "before_headers" }), says("Back.")] }),
  "fault-hang-mid-stream": () => ({ script: [faulty({ kind: "hang", when: "mid_stream" }, { type: "text", text: "abcdefgh", chunk: 1 }), says("Back.")] }),
  "fault-hang-with-keep-alive": () => ({
    script: [faulty({ kind: "hang", when: "mid_stream", keepAliveMs: 30_000 }, { type: "text", text: "abcdefgh", chunk: 1 }), says("Back.")],
  }),
  "fault-slow-drip": () => ({ script: [says("slow but steady", { pace: { everyMs: 100_000 } })] }),
  "fault-hang-for-ever-headless": () => ({ script: forever(faulty({ kind: "hang", when: "after_headers" })), limits: { headless: true } }),
  "fault-reset-mid-stream": () => ({ script: [faulty({ kind: "reset", when: "mid_stream" }, { type: "text", text: "abcdefgh", chunk: 1 }), says("Whole.")] }),
  "fault-eof-mid-stream-for-ever": () => ({
    script: forever(faulty({ kind: "eof", when: "mid_stream" }, { type: "text", text: "abcdefgh", chunk: 1 })),
    limits: { headless: true },
  }),
  "fault-error-event-mid-stream": () => ({
    script: [faulty({ kind: "error_event", when: "mid_stream" }, { type: "text", text: "abcdefgh", chunk: 1 }), says("Whole.")],
  }),
  "fault-empty-body": () => ({ script: [faulty({ kind: "empty_body" }), says("There.")] }),
  "fault-empty-body-for-ever": () => ({ script: forever(faulty({ kind: "empty_body" })), limits: { headless: true } }),
  "fault-html": () => ({ script: forever(faulty({ kind: "html" })), limits: { headless: true } }),
  "stop-null-empty": () => ({ script: [silent(null), says("There.")] }),
  "stop-null-with-text": () => ({ script: [says("half", { stop: null }), says("Whole.")] }),
  "stop-null-with-text-for-ever": () => ({ script: forever(says("half", { stop: null })) }),
  "fault-cut-before-a-write": () => ({
    script: [faulty({ kind: "reset", when: "before_end" }, callPart("write", { file_path: "a", content: "x" })), says("Not written.")],
  }),
  "fault-cut-after-a-read-began": () => ({
    script: [
      faulty(
        { kind: "reset", when: "before_end" },
        callPart("read", { file_path: "a" }),
        { type: "wait", ms: 10 },
        callPart("write", { file_path: "a", content: "x" }),
      ),
      says("I have what was read."),
    ],
  }),

  // the rungs that no silence reaches
  "rung-no_progress": () => ({ script: [{ parts: [{ type: "text", text: " ".repeat(25), chunk: 1 }], pace: { everyMs: 30_000 } }, says("Words now.")] }),
  "rung-attempt": () => ({ script: [dripping, says("Short now.")] }),
  "rung-step": () => ({ script: forever(dripping) }),
  "rung-watcher": () => ({
    script: [says("abcd"), says("Again.")],
    onEvent: async (event, { clock }) => {
      if (event.type === "live" && event.event.type === "text_delta" && event.event.text === "abcd") await clock.sleep(800_000);
    },
  }),
  "ladder-that-does-not-grow": () => ({ script: [says("Hello.")], timeouts: { noContent: 200_000 } }),
  "session-breaker-open": () => ({ script: forever(fails(529)), deps: () => ({ breaker: { open: true, failed: () => {}, succeeded: () => {} } }) }),
  "compaction-breaker-open": () => ({
    script: [says("Still answered.")],
    deps: () => ({ context: plainContext([], { fit: async () => ({ kind: "failed", why: "breaker_open", biggest: [] }) }) }),
  }),

  // refused requests
  "fault-400": () => ({ script: [fails(400, { message: "messages.1: unexpected role" })] }),
  "fault-401": () => ({ script: [fails(401, { message: "invalid x-api-key" })] }),
  "fault-403": () => ({ script: [fails(403)] }),
  "fault-404": () => ({ script: [fails(404)] }),
  "fault-408": () => ({ script: [fails(408), says("Now.")] }),
  "fault-429-seconds": () => ({ script: [fails(429, { headers: { "retry-after": "3" } }), says("Now.")] }),
  "fault-429-absurd": () => ({ script: [fails(429, { headers: { "retry-after": "3600" } })] }),
  "fault-500": () => ({ script: [fails(500), fails(500), says("Now.")] }),
  "fault-529-for-ever": () => ({ script: forever(fails(529)) }),
  "fault-529-for-ever-headless": () => ({ script: forever(fails(529)), limits: { headless: true } }),
  "fault-connection-refused": () => ({
    script: [failure({ kind: "network", retryable: true, code: "ECONNREFUSED", message: "connect ECONNREFUSED 127.0.0.1:9" }), says("Up again.")],
  }),
  "fault-quota": () => ({
    script: [failure({ kind: "quota", retryable: false, status: 429, code: "insufficient_quota", message: "You exceeded your current quota" })],
  }),
  "fault-no-time-for-retries": () => ({
    script: forever(fails(503)),
    timeouts: { step: 12_000, attempt: 11_000, watcher: 10_000, noProgress: 9_000, noContent: 8_000, noBytes: 7_000 },
  }),
  "fallback-model": () => ({
    script: forever(faulty({ kind: "reset", when: "mid_stream" }, { type: "text", text: "abcd", chunk: 1 })),
    deps: ({ clock }) => ({
      fallback: { provider: createScriptedProvider({ script: [says("The other one here.")], clock, id: "other" }), maker: { provider: "other", model: "m2" } },
    }),
  }),

  // degenerate and broken calls
  "reason-empty_param_retry": () => ({
    script: [
      { parts: [{ type: "text", text: "Let me look." }, callPart("read", {}), callPart("write", { file_path: "a", content: "b" })] },
      calls("read", { file_path: "a" }),
      says("Seen."),
    ],
  }),
  "end-failed-empty-arguments": () => ({ script: forever(calls("read", {})) }),
  "fault-empty-arguments-after-a-start": () => ({ script: [{ parts: [callPart("read", { file_path: "a" }), callPart("read", {})] }, says("Seen.")] }),
  "fault-empty-arguments-allowed": () => ({ script: [calls("ls", {}), says("Listed.")] }),
  "fault-malformed-json": () => ({ script: [{ parts: [{ type: "tool", name: "write", raw: '{"file_path": "a", content: }' }] }, says("I see.")] }),
  "fault-arguments-array": () => ({ script: [{ parts: [{ type: "tool", name: "read", raw: '["a"]' }] }, says("I see.")] }),
  "fault-arguments-wrong-type": () => ({ script: [calls("read", { file_path: 7 }), says("I see.")] }),
  "fault-unknown-tool": () => ({ script: [unknownTool, says("I see.")] }),
  "fault-odd-tool-name": () => ({ script: [calls("my tool: read!", { x: 1 }), says("I see.")] }),
  "fault-duplicate-and-empty-ids": () => ({
    script: [
      { parts: [callPart("read", { file_path: "a" }, "bash:0"), callPart("read", { file_path: "b" }, "bash:0"), callPart("read", { file_path: "c" }, "")] },
      calls("read", { file_path: "d" }, "bash:0"),
      says("Four."),
    ],
  }),
  "fault-call-announced-none-came": () => ({ script: [says("I will read it.", { stop: "tool_use" }), says("Never mind: done.")] }),
  "fault-call-announced-none-came-for-ever": () => ({ script: forever(silent("tool_use")) }),
  "fault-end-turn-with-call": () => ({ script: [{ ...calls("read", { file_path: "a" }), stop: "end_turn" }, says("Done.")] }),
  "fault-call-as-text": () => ({
    script: forever(says('{ "name": "write", "arguments": {"file_path":"t.sh","content":"ls"}}')),
    deps: () => ({ context: plainContext([], { fixed: { system: ["x"], tools: [{ name: "write", description: "", schema: {}, strictAllowed: true }] } }) }),
  }),
  "fault-50-parallel-calls": () => ({ script: [{ parts: Array.from({ length: 50 }, (_, k) => callPart("read", { file_path: `${k}` })) }, says("All read.")] }),
  "fault-half-characters": () => ({
    script: [{ parts: [{ type: "text", text: "\ud83d" }, { type: "text", text: "\ude00" }, callPart("read", { file_path: "\ud83d" })] }, says("Whole.")],
  }),
  "fault-prompt-cut-by-server": () => ({ prompt: "w ".repeat(14_000), script: [says("Hm.", { usage: { input: 2_048 } })] }),

  // stop reasons that end
  "end-refused": () => ({ script: [says("I cannot help with that.", { stop: "refusal" })] }),
  "end-refused-with-call": () => ({ script: [{ ...calls("write", { file_path: "a", content: "x" }), stop: "refusal" }] }),
  "stop-unknown": () => ({ script: [says("Half of", { stop: { raw: "solar_flare" } })] }),
  "stop-unknown-with-call": () => ({ script: [{ ...calls("write", { file_path: "a", content: "x" }), stop: { raw: "solar_flare" } }] }),

  // gates
  "reason-unanswered_retry": () => ({ script: [{ parts: [{ type: "thinking", text: "hm", signature: "s" }] }, says("Here it is.")], ...gated({}) }),
  "end-empty": () => ({ script: forever(silent("end_turn")), ...gated({}) }),
  "reason-stop_hook_retry": () => ({ script: [says("Done."), says("Fixed.")], ...gated({ hooks: [[{ kind: "block", reason: "2 tests fail" }]] }) }),
  "end-let_go-stop-hook": () => ({
    script: forever(says("Done.")),
    ...gated({ hooks: Array.from({ length: 9 }, () => [{ kind: "block", reason: "lint fails" }]) }),
  }),
  "end-let_go-stop-trying": () => ({ script: [says("Done.")], ...gated({ hooks: [[{ kind: "stop", reason: "not mendable" }]] }) }),
  "reason-todo_gate_retry": () => {
    const { work, deps } = gated({});
    const write: ToolBehaviour = async ({ content }) => {
      work.todos = [{ text: "tests", status: content === "all" ? "completed" : "pending" }];
      return { ok: true, forModel: [text("noted")] };
    };
    return {
      script: [calls("write", { file_path: "t", content: "some" }), says("Done."), calls("write", { file_path: "t", content: "all" }), says("Now it is.")],
      deps,
      tools: { write },
    };
  },
  "end-answered-todo-only-not-ticked": () => todoTape(() => says("It is done, as I said.")),
  "end-let_go-todo": () => todoTape((n) => (n === 2 ? silent("end_turn") : says("I stop here."))),
  "reason-hypothesis_gate_retry": () => {
    const { work, deps } = gated({});
    const bash: ToolBehaviour = async ({ command }) => {
      const state = command === "refute" ? "refuted" : "open";
      work.hypotheses = [{ id: "H1", claim: "the process crashed", falsifier: "the log shows `still alive`", state }];
      return { ok: true, forModel: [text(command === "look" ? "12:00 still alive" : "noted")] };
    };
    return {
      script: [
        calls("bash", { command: "register" }),
        calls("bash", { command: "look" }),
        says("It crashed."),
        calls("bash", { command: "refute" }),
        says("It did not crash."),
      ],
      deps,
      tools: { bash },
    };
  },
  "end-let_go-hypotheses": () => {
    const { work, deps } = gated({});
    const bash: ToolBehaviour = async () => {
      work.hypotheses = [{ id: "H1", claim: "c", falsifier: "the disk is empty and the queue is full", state: "open" }];
      return { ok: true, forModel: [text("noted")] };
    };
    return { script: (_, n) => (n === 0 ? calls("bash", { command: "register" }) : says("So it is.")), deps, tools: { bash } };
  },
  "reason-goal_gate_retry": () => {
    const goal: Goal = { text: "all tests pass", budget: { unit: "steps", limit: 6 }, used: 0, state: "open" };
    return {
      script: (_, n) => (n % 2 === 0 ? calls("bash", { command: `try ${n}` }) : says("One more done.")),
      ...gated({ goal }),
      tools: { bash: async ({ command }) => ({ ok: true, forModel: [text(`did ${String(command)}`)] }) },
    };
  },
  "reason-token_budget_continuation": () => ({
    prompt: "make it good +20k please",
    script: [says("Done.", { usage: { output: 4_000 } }), says("More tests.", { usage: { output: 16_000 } })],
  }),

  // guards and limits
  "reason-loop_recovery": () => ({
    script: (_, n) => (n === 5 ? says("It is clean.") : n % 2 === 0 ? calls("bash", { command: "git status --short" }) : calls("read", { file_path: `f${n}` })),
    tools: { bash: ok("(no output)") },
  }),
  "guard-same-scalar": () => ({
    script: (_, n) => (n === 5 ? says("139 it stays.") : calls("bash", { command: "check | grep -c error" })),
    tools: { bash: ok("139") },
  }),
  "end-brake": () => ({ script: forever(unknownTool), limits: { headless: true } }),
  "guard-hopeless-call-go-on": () => ({ script: (_, n) => (n < 5 ? unknownTool : says("Another way then.")), deps: () => person("go_on") }),
  "guard-same-shape": () => ({
    script: (_, n) => (n < 7 ? calls("read", { file_path: "a", offset: n }) : says("Done.")),
    limits: { broadDetection: true },
  }),
  "end-brake-person-stops": () => ({ script: forever(unknownTool), deps: () => person("stop") }),
  "end-step_limit": () => ({
    script: (_, n) => (n < 2 ? calls("read", { file_path: `${n}` }) : says("So far: two files read.")),
    limits: { maxSteps: 2, headless: true },
  }),
  "end-step_limit-summary-wants-tools": () => ({ script: forever(calls("write", { file_path: "a", content: "b" })), limits: { maxSteps: 1, headless: true } }),
  "soft-reminder": () => ({ script: (_, n) => (n < 3 ? calls("read", { file_path: `${n}` }) : says("Done.")), limits: { reminderAfterSteps: 2 } }),
  "end-spend_limit": () => spendTape({}),
  "end-spend_limit-person-goes-on": () => spendTape(person("go_on")),
  "end-denied": () => ({
    script: (_, n) => (n === 0 ? calls("write", { file_path: "a", content: "x" }) : silent("end_turn")),
    tools: { write: async () => ({ ok: false, failure: { kind: "permission_denied", retryable: false, message: "Nobody can be asked." } }) },
    limits: { headless: true },
    ...gated({}),
  }),
  "hook-stops-the-turn": () => {
    let asked = 0;
    return { script: [calls("read", { file_path: "a" })], deps: () => ({ hookStop: () => ((asked += 1) > 1 ? "enough for today" : undefined) }) };
  },

  // interrupts and steering
  "end-aborted-in-text": () => ({ script: [says("abcdefgh".repeat(4), { pace: { everyMs: 2_000 } })], onEvent: stopAt((event) => event === "text_delta") }),
  "end-aborted-before-tools": () => ({
    script: [{ parts: [callPart("write", { file_path: "a", content: "x" }), callPart("read", { file_path: "b" })] }],
    onEvent: stopAt((event) => event === "reply"),
  }),
  "end-aborted-in-a-tool": () => ({
    script: [{ parts: [{ type: "text", text: "ok" }, callPart("bash", { command: "sleep 30" }), callPart("read", { file_path: "a" })] }],
    tools: {
      bash: async (_input, cx, clock) => {
        await clock.sleep(30_000, cx.scope.signal);
        return { ok: false, failure: { kind: "aborted", retryable: false, message: "cancelled by the user; it had printed: half" } };
      },
    },
    onEvent: (event, { clock, scope }) => {
      if (event.type === "reply") clock.schedule(200, () => scope.abort({ by: "person" }));
    },
  }),
  "end-aborted-in-back-off": () => ({
    script: forever(fails(529)),
    onEvent: (event, { clock, scope }) => {
      if (event.type === "live" && event.event.type === "retrying") clock.schedule(1_500, () => scope.abort({ by: "person" }));
    },
  }),
  "end-aborted-by-rollback": () => ({
    script: [faulty({ kind: "hang", when: "before_headers" })],
    onEvent: stopAt((event) => event === "step_started", "rollback"),
  }),
  "steering-at-the-boundary": () => {
    let boundaries = 0;
    return {
      script: [calls("read", { file_path: "a" }), says("In French: fait.")],
      deps: () => ({
        takeSteering: async () => {
          boundaries += 1;
          if (boundaries !== 2) return undefined;
          return { blocks: [text("answer in French")], queueIds: ["q1"], notes: [], refused: [] };
        },
      }),
    };
  },
};

function todoTape(reply: (n: number) => ScriptedReply): TapeOptions {
  const { work, deps } = gated({});
  const write: ToolBehaviour = async () => {
    work.todos = [{ text: "tests", status: "pending" }];
    return { ok: true, forModel: [text("noted")] };
  };
  return { script: (_, n) => (n === 0 ? calls("write", { file_path: "t", content: "x" }) : reply(n)), deps, tools: { write } };
}

const NONE_SPENT = { usd: 0, tokens: 0 };
const limitsOf = (some: Partial<SpendLimits>): SpendLimits => ({ turn: NONE_SPENT, session: NONE_SPENT, day: NONE_SPENT, ...some });

function spendTape(change: Partial<LoopDeps>): TapeOptions {
  const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
  const spend = createSpendMeter({ limits: limitsOf({ turn: { usd: 0.1, tokens: 0 } }), session: NONE_SPENT, today: () => NONE_SPENT, prices: () => prices });
  return {
    script: (_, n) => (n < 3 ? { ...calls("read", { file_path: `${n}` }), usage: { input: 1_000, output: 2_800 } } : says("That is what I have.")),
    deps: () => ({ spend, ...change }),
  };
}

function stopAt(hit: (type: string) => boolean, by: "person" | "rollback" = "person"): NonNullable<TapeOptions["onEvent"]> {
  let done = false;
  return (event, { scope }) => {
    if (done || !hit(event.type === "live" ? event.event.type : event.type)) return;
    done = true;
    scope.abort({ by });
  };
}

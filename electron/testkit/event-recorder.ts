// Runs one turn of the real loop against a scripted model and writes down everything that happened, one line an event, with ids and
// times that do not change from run to run. The lines are the golden tapes. Every request is checked on its way (L18, C7).
import { z } from "zod";
import type { Block, Message } from "#shared/chat/blocks.ts";
import { contentText, text } from "#shared/chat/blocks.ts";
import { CallId, EntryId, ReplyId, SessionId, TurnId } from "#shared/lib/ids.ts";
import { err, ok } from "#shared/lib/result.ts";
import { stableJson } from "#shared/lib/stable-json.ts";
import { oneLine } from "#shared/lib/text.ts";
import type { TurnEnd } from "#shared/loop/turn-end.ts";
import type { ToolOutcome } from "#shared/tools/outcome.ts";
import { repairHistory } from "#shared/chat/history-repair.ts";
import { withNotes, withReply, withUserBlocks } from "#electron/loop/state.ts";
import { Timeouts } from "#shared/settings/settings.ts";
import type { TraceEvent } from "#shared/trace/trace.ts";
import type { ContextPipeline } from "#electron/context/contract.ts";
import { createScope, type Scope } from "#electron/lib/scope.ts";
import type { LoopDeps, LoopEvent } from "#electron/loop/contract.ts";
import { runTurn } from "#electron/loop/run-turn.ts";
import { DEFAULT_CAPS } from "#electron/loop/limits.ts";
import type { CallInFlight, RunCall } from "#electron/pipeline/contract.ts";
import { createPrepare } from "#electron/pipeline/prepare.ts";
import { abortedOutcome, failed, outcomeOf } from "#electron/pipeline/settle.ts";
import type { ModelInfo, ModelRequest, Provider } from "#electron/providers/contract.ts";
import type { TurnScheduler } from "#electron/scheduler/contract.ts";
import { createTurnScheduler } from "#electron/scheduler/turn-scheduler.ts";
import type { CallTraits, Tool, ToolContext, ToolReturn } from "#electron/tools/contract.ts";
import { contextFor, fakeTool } from "./calls.ts";
import { createManualClock, type ManualClock } from "./manual-clock.ts";
import { checkRequests, flat, type SentRequest } from "./request-check.ts";
import { realContext, type RealContext } from "./real-context.ts";
import { createScriptedProvider, type ScriptedProvider } from "./scripted-provider.ts";
import type { Script } from "#electron/testkit/server/script.ts";

export type ToolBehaviour = (input: Readonly<Record<string, unknown>>, cx: ToolContext, clock: ManualClock) => Promise<ToolReturn>;

export type TapeOptions = {
  readonly script: Script;
  readonly prompt?: string;
  readonly history?: readonly Message[];
  readonly tools?: Readonly<Record<string, ToolBehaviour>>;
  /** real tools beside the fake ones */
  readonly more?: readonly Tool[];
  readonly info?: Partial<ModelInfo>;
  readonly provider?: Provider;
  /** the product's own context pipeline instead of one that never compacts; its summaries are asked of the same script */
  readonly context?: RealContext;
  readonly deps?: (made: { readonly clock: ManualClock; readonly scope: Scope }) => Partial<LoopDeps>;
  /** another scheduler around the product's own, to compare with */
  readonly scheduler?: (inner: TurnScheduler) => TurnScheduler;
  readonly limits?: Partial<LoopDeps["limits"]>;
  readonly timeouts?: Partial<Timeouts>;
  /** called with every event before the loop goes on */
  readonly onEvent?: (event: LoopEvent, live: Live) => void | Promise<void>;
  /** seconds after which the recorder gives up */
  readonly patienceSeconds?: number;
};

/** The running turn, for tests that interfere with it. */
export type Live = { readonly clock: ManualClock; readonly scope: Scope; readonly provider: ScriptedProvider; readonly events: readonly LoopEvent[] };

export type Tape = {
  readonly events: readonly LoopEvent[];
  readonly lines: readonly string[];
  readonly requests: readonly ModelRequest[];
  readonly end: TurnEnd;
  readonly trace: readonly TraceEvent[];
  /** what the next turn begins with */
  readonly history: readonly Message[];
  readonly clock: ManualClock;
  readonly ran: readonly string[];
};

const STEP_MS = 1_000;

/** A turn that is ready to be consumed, with everything that it will leave behind. */
export type OpenTape = {
  readonly turn: AsyncGenerator<LoopEvent, TurnEnd, void>;
  readonly live: Live;
  readonly trace: readonly TraceEvent[];
  readonly ran: readonly string[];
  readonly outcomes: ReadonlyMap<string, ToolOutcome>;
};

/** A request as it leaves, before the provider sees it. */
type OnRequest = (request: ModelRequest, what: "step" | "summary") => void;

export function openTape(options: TapeOptions, onRequest: OnRequest = () => {}): OpenTape {
  const clock = createManualClock();
  const scope = createScope("turn");
  const provider = createScriptedProvider({ script: options.script, clock, ...(options.info === undefined ? {} : { info: options.info }) });
  const trace: TraceEvent[] = [];
  const ran: string[] = [];
  const outcomes = new Map<string, ToolOutcome>();
  const deps = makeDeps({ options, clock, scope, provider: options.provider ?? provider, onRequest, trace, ran, outcomes });
  const turn = runTurn({ history: options.history ?? [], prompt: { role: "user", blocks: [text(options.prompt ?? "do it")] } }, deps);
  return { turn, live: { clock, scope, provider, events: [] }, trace, ran, outcomes };
}

/** Runs the turn to its end; time is moved on whenever nothing else can happen. */
export async function recordTurn(options: TapeOptions): Promise<Tape> {
  const lines: string[] = [];
  const events: LoopEvent[] = [];
  const requests: ModelRequest[] = [];
  const sent: SentRequest[] = [];
  const {
    turn,
    live: made,
    trace,
    ran,
    outcomes,
  } = openTape(options, (request, what) => {
    if (what === "summary") return void lines.push(`${tellTime()}→ request for a summary`);
    requests.push(request);
    sent.push({ request, breaks: trace.filter((event) => event.name === "cache_break").length });
    lines.push(`${tellTime()}→ request ${requests.length} [max ${request.maxTokens}] ${newPart(requests)}`);
  });
  const { clock, scope } = made;
  const tellTime = timeTeller(clock);
  const live: Live = { ...made, events };
  const onEvent = async (event: LoopEvent) => {
    events.push(event);
    if (isNews(event, events)) lines.push(`${tellTime()}${lineOf(event)}`);
    await options.onEvent?.(event, live);
  };
  const end = await consumed(turn, onEvent, clock, (options.patienceSeconds ?? 20_000) * 1_000);
  if (end === undefined) throw new Error(`the turn did not end; so far:\n${lines.join("\n")}`);
  lines.push(`${tellTime()}= ${stableJson(end)}`);
  const open = scope.openChildren();
  if (open.length > 0) throw new Error(`scopes left open: ${open.join(", ")}`);
  if (clock.pending() > 0) throw new Error(`${clock.pending()} timers left`);
  checkRequests({ sent, events, trace, prompt: options.prompt ?? "do it", history: options.history ?? [] });
  return { events, lines, requests, end, trace, history: historyAfter(options, events, outcomes), clock, ran };
}

/** The turn's end, with time moving on meanwhile; undefined when it did not end within `patienceMs`. */
async function consumed(
  turn: OpenTape["turn"],
  onEvent: (event: LoopEvent) => Promise<void>,
  clock: ManualClock,
  patienceMs: number,
): Promise<TurnEnd | undefined> {
  let over = false;
  const run = async () => {
    for (;;) {
      const next = await turn.next();
      if (next.done === true) return next.value;
      await onEvent(next.value);
    }
  };
  const running = run().finally(() => (over = true));
  const ended = running.then(
    () => {},
    () => {},
  );
  while (!over && clock.monotonic() < patienceMs) {
    await clock.advance(0);
    if (!over) await clock.advance(STEP_MS);
  }
  if (!over) return undefined;
  await ended;
  return await running;
}

function makeDeps(made: {
  readonly options: TapeOptions;
  readonly clock: ManualClock;
  readonly scope: Scope;
  readonly provider: Provider;
  readonly onRequest: OnRequest;
  readonly trace: TraceEvent[];
  readonly ran: string[];
  readonly outcomes: Map<string, ToolOutcome>;
}): LoopDeps {
  const { options, clock, scope, trace, onRequest } = made;
  const provider = spyOn(made.provider, (request) => onRequest(request, "step"));
  const own = options.deps?.({ clock, scope }) ?? {};
  let ids = 0;
  const next = (kind: string) => `${kind}${(ids += 1)}`;
  const emit = { emit: (event: TraceEvent) => void trace.push(event) };
  const registry = toolRegistry(options, made);
  const prepare = createPrepare({
    registry,
    place: { cwd: "/work-folder", home: "/home/person" },
    classify: (tool) => TRAITS[tool.name] ?? UNSAFE,
    parse: (tool, input) => {
      const parsed = tool.input.safeParse(input);
      return parsed.success ? ok(parsed.data) : err(`Invalid input for ${tool.name}: ${stableJson(input)}. Give all required fields.`);
    },
  });
  const run = runCallOf(emit.emit, made.outcomes);
  return {
    session: SessionId.parse("s1"),
    turn: TurnId.parse("t1"),
    maker: { provider: provider.id, model: "m" },
    provider,
    fallback: undefined,
    prepare,
    openScheduler: (scopeOfStep) => {
      const inner = createTurnScheduler({ scope: scopeOfStep, run, contextFor: (call, callScope) => contextFor(call, callScope, clock), trace: emit });
      return options.scheduler?.(inner) ?? inner;
    },
    context:
      options.context === undefined
        ? plainContext(registry.tools)
        : realContext(options.context, { clock, fixed: fixedOf(registry.tools), provider: spyOn(made.provider, (request) => onRequest(request, "summary")) }),
    gates: [],
    limits: { caps: DEFAULT_CAPS, maxSteps: undefined, reminderAfterSteps: 0, timeouts: Timeouts.parse(options.timeouts ?? {}), ...options.limits },
    clock,
    scope,
    trace: emit,
    takeSteering: async () => undefined,
    personWaitMs: () => 0,
    newReplyId: () => ReplyId.parse(next("reply")),
    redact: (text) => text.replaceAll("sk-secret", "[secret]"),
    newCallId: () => CallId.parse(next("fresh")),
    newEntryId: () => EntryId.parse(next("entry")),
    blob: async () => undefined,
    random: () => 0,
    ...own,
    ...(own.fallback === undefined ? {} : { fallback: { ...own.fallback, provider: spyOn(own.fallback.provider, (request) => onRequest(request, "step")) } }),
  };
}

/** A context that never compacts; tests of compaction bring their own. */
export function plainContext(tools: readonly Tool[] = [], change: Partial<ContextPipeline> = {}): ContextPipeline {
  return {
    fixed: fixedOf(tools),
    measure: (history) => Math.round(stableJson(history).length / 4),
    fit: async () => ({ kind: "fits" }),
    saw: () => {},
    turnNotes: async () => [],
    returningNotes: async () => [],
    ...change,
  };
}

function fixedOf(tools: readonly Tool[]): ContextPipeline["fixed"] {
  const definitions = tools.map((tool) => ({ name: tool.name, description: tool.text.summary, schema: {}, strictAllowed: true }));
  return { system: ["You are a test."], tools: definitions };
}

const SAFE: CallTraits = { readOnly: true, concurrencySafe: true, destructive: false, mayWrite: false, reproducible: true, effects: [], conflictKeys: [] };
const UNSAFE: CallTraits = { readOnly: false, concurrencySafe: false, destructive: true, mayWrite: true, reproducible: false, effects: [], conflictKeys: [] };
const TRAITS: Readonly<Record<string, CallTraits>> = {
  read: SAFE,
  ls: SAFE,
  write: { ...UNSAFE, destructive: false, effects: [{ kind: "writes", target: "/work-folder/a" }] },
  bash: { ...UNSAFE, mayWrite: false, readOnly: true, effects: [{ kind: "runs" }] },
};

const INPUTS: Readonly<Record<string, z.ZodType>> = {
  read: z.strictObject({ file_path: z.string() }),
  ls: z.strictObject({ path: z.string().optional() }),
  write: z.strictObject({ file_path: z.string(), content: z.string() }),
  bash: z.strictObject({ command: z.string() }),
};

function toolRegistry({ tools: behaviours = {}, more = [] }: TapeOptions, { clock, ran }: { readonly clock: ManualClock; readonly ran: string[] }) {
  const fakes = Object.entries(INPUTS).map(([name, input]) =>
    fakeTool({
      name,
      input,
      call: async (given, cx) => {
        ran.push(`${name} ${stableJson(given)}`);
        const known = z.record(z.string(), z.unknown()).parse(given);
        return (await behaviours[name]?.(known, cx, clock)) ?? { ok: true, forModel: [text(`output of ${name}`)] };
      },
    }),
  );
  const tools = [...fakes, ...more];
  return { tools, find: (name: string) => tools.find((tool) => tool.name === name.toLowerCase()), near: () => [] };
}

/** The pipeline in its shortest form: one outcome for every call, nothing asked, nothing stored. */
function runCallOf(emit: (event: TraceEvent) => void, outcomes: Map<string, ToolOutcome>): RunCall {
  const once = async (call: CallInFlight, cx: ToolContext) => {
    const { signal } = cx.scope;
    if (signal.aborted) return abortedOutcome(call, cx.scope.cause, false);
    if (call.tool === undefined) return failed(call, { kind: "not_found", retryable: false, message: `There is no tool ${call.name}.` });
    if (call.parseError !== undefined) return failed(call, { kind: "invalid_input", retryable: true, message: call.parseError });
    const stopped = new Promise<undefined>((resolve) => signal.addEventListener("abort", () => resolve(undefined), { once: true }));
    const returned = await Promise.race([call.tool.call(call.input, cx, () => {}), stopped]);
    return returned === undefined ? abortedOutcome(call, cx.scope.cause, true) : outcomeOf(call, returned, 0);
  };
  return async (call, cx) => {
    emit({ name: "call_dispatched", tool: call.name });
    const outcome = await once(call, cx);
    outcomes.set(call.id, outcome);
    emit({ name: "call_done", tool: call.name, ok: outcome.status === "ok", ms: 0, ...(outcome.status === "failed" ? { failure: outcome.failure.kind } : {}) });
    return outcome;
  };
}

function spyOn(provider: Provider, onRequest: (request: ModelRequest) => void): Provider {
  return {
    id: provider.id,
    describe: (model) => provider.describe(model),
    stream(request, signal) {
      onRequest(request);
      return provider.stream(request, signal);
    },
  };
}

function newPart(requests: readonly ModelRequest[]): string {
  const now = requests.at(-1)?.messages ?? [];
  const before = flat(requests.at(-2)?.messages ?? []);
  const all = now.flatMap((message) => message.blocks.map((block) => ({ role: message.role, block })));
  const kept = flat(now).findIndex((part, k) => part !== before[k]);
  const from = kept < 0 ? all.length : kept;
  const gone = from < before.length ? `(${before.length - from} blocks gone) ` : "";
  return (
    gone +
    (from === all.length
      ? "(the same)"
      : all
          .slice(from)
          .map(({ role, block }) => `${role}: ${blockLine(block)}`)
          .join(" | "))
  );
}

function blockLine(block: Block): string {
  switch (block.type) {
    case "text":
      return JSON.stringify(oneLine(block.text, 160));
    case "tool_use":
      return `${block.name}#${block.id} ${block.invalid === undefined ? stableJson(block.input) : `invalid(${block.invalid.why}) ${JSON.stringify(oneLine(block.invalid.raw, 60))}`}`;
    case "tool_result":
      return `${block.isError ? "error" : "result"}#${block.id} ${JSON.stringify(oneLine(contentText(block.content), 120))}`;
    case "thinking":
      return `thinking ${JSON.stringify(oneLine(block.text, 60))}${block.partial === true ? " (partial)" : ""}`;
    default:
      return block.type;
  }
}

function lineOf(event: LoopEvent): string {
  switch (event.type) {
    case "live": {
      const { type, ...rest } = event.event;
      return `  ~ ${type} ${stableJson({ ...rest, turn: undefined })}`;
    }
    case "reply":
      return `reply ${event.reply.id} step ${event.step}${event.partial ? " PARTIAL" : ""} stop=${stableJson(event.reply.stop)} by ${event.reply.by.model}: ${event.reply.blocks.map(blockLine).join(" | ")}`;
    case "results":
      return `results step ${event.step}: ${event.calls.join(", ")}`;
    case "note":
      return `note step ${event.step} [${event.source}] ${JSON.stringify(oneLine(event.text, 160))}`;
    case "steer":
      return `steer ${event.queueIds.join(", ")}: ${event.blocks.map(blockLine).join(" | ")}`;
    case "steer_refused":
      return `steer_refused ${event.queueId}: ${stableJson(event.notice)}`;
    case "compacted":
      return `compacted ${event.before} → ${event.after} by layers ${event.layers.join(",")}, ${event.history.length} messages`;
    case "used":
      return `used by ${event.by.model}: ${stableJson(event.usage)}`;
    case "transition":
      return `transition step ${event.step}: ${event.reason}`;
    case "withdrawn":
      return `withdrawn ${event.reply}: ${event.why}`;
    case "warning":
      return `warning ${stableJson(event.notice)}`;
  }
}

/** Of a row of "still waiting" only what changed is worth a line. */
function isNews(event: LoopEvent, events: readonly LoopEvent[]): boolean {
  const before = events.at(-2);
  if (event.type !== "live" || event.event.type !== "waiting") return true;
  if (before?.type !== "live" || before.event.type !== "waiting") return true;
  return before.event.what !== event.event.what || before.event.canRetryNow !== event.event.canRetryNow;
}

function timeTeller(clock: ManualClock): () => string {
  let last = 0;
  return () => {
    const now = clock.monotonic();
    const label = now === last ? "" : `[${now / 1_000} s] `;
    last = now;
    return label;
  };
}

/** The history as the log gives it back: from the events alone, repaired. */
function historyAfter(options: TapeOptions, events: readonly LoopEvent[], outcomes: ReadonlyMap<string, ToolOutcome>): readonly Message[] {
  let history = withUserBlocks(options.history ?? [], [text(options.prompt ?? "do it")]);
  for (const event of events) {
    if (event.type === "reply") history = withReply(history, event.reply.blocks);
    if (event.type === "note") history = withNotes(history, [event]);
    if (event.type === "steer") history = withUserBlocks(history, event.blocks);
    if (event.type === "compacted") history = event.history;
    if (event.type === "withdrawn") history = history.slice(0, -1);
    if (event.type === "results") {
      const results = event.calls.flatMap((id): Block[] => {
        const outcome = outcomes.get(id);
        return outcome === undefined ? [] : [{ type: "tool_result", id, content: outcome.forModel, isError: outcome.status === "failed" }];
      });
      history = withUserBlocks(history, results);
    }
  }
  return repairHistory(history);
}

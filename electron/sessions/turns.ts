// One turn at a time. What is sent meanwhile waits in the visible queue; Stop never empties it.
import { stat } from "node:fs/promises";
import { type Block, plainText } from "#shared/chat/blocks.ts";
import type { SessionEvent } from "#shared/events/durable.ts";
import { EntryId, TurnId } from "#shared/lib/ids.ts";
import { err, ok, type Result } from "#shared/lib/result.ts";
import { ancestors } from "#shared/session/branches.ts";
import type { SessionView } from "#shared/session/view.ts";
import { oneLine } from "#shared/lib/text.ts";
import type { PermissionMode } from "#shared/permissions/mode.ts";
import type { AbortCause, TurnEnd } from "#shared/loop/turn-end.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { Scope } from "#electron/lib/scope.ts";
import type { OpenTurn, ProjectHistory, SessionActor, TurnEnv } from "./contract.ts";
import { driveTurn } from "./drive-turn.ts";
import { type MaskedPrompt, maskPrompt } from "./mask-prompt.ts";
import type { Questions } from "./questions.ts";
import type { SessionCheckpoints } from "./session-checkpoints.ts";
import type { SessionCore } from "./session-core.ts";
import { createWaits } from "./waits.ts";

const LABEL_CHARS = 200;

export type TurnsDeps = {
  readonly core: SessionCore;
  readonly questions: Questions;
  readonly checkpoints: SessionCheckpoints;
  readonly scope: Scope;
  /** the session is about to be closed: nothing new begins, what ends still gets its point on the trail */
  readonly closing: AbortSignal;
  readonly clock: Clock;
  readonly folder: string;
  readonly stopGraceMs: number;
  readonly openTurn: OpenTurn;
  readonly project: ProjectHistory;
  /** masks keys in what the person wrote (R3) */
  redact(text: string): string;
  newId(): string;
  sync(): Promise<void>;
};

export interface Turns {
  prompt: SessionActor["prompt"];
  resend: SessionActor["resend"];
  idle(): Promise<TurnEnd | undefined>;
  stop(cause: AbortCause): Promise<void>;
  /** Resolves when all that was asked for so far has begun or been refused. */
  begun(): Promise<void>;
  retryNow(): void;
  /** Whoever follows the mode is told, a running turn too. */
  setMode: SessionActor["setMode"];
  /** Stops the running turn and starts one with this queued message. */
  sendNow(id: string): Promise<void>;
}

type Running = { readonly scope: Scope; readonly done: Promise<TurnEnd> };

export function createTurns(deps: TurnsDeps): Turns {
  const { core } = deps;
  let running: Running | undefined;
  const bells: Bells = { retryNow: createBell(), modeChanged: createBell() };
  const inOrder = createOrder();
  // A turn that is over and whose queue is about to start the next one: whoever comes now goes behind it.
  let handingOver: TurnEnd | undefined;

  const start = async (blocks: readonly Block[], queueIds: readonly string[]): Promise<TurnId> => {
    const env = makeEnv(deps, { turn: TurnId.parse(deps.newId()), label: oneLine(plainText(blocks), LABEL_CHARS) }, bells);
    const done = (await submit(deps, env, blocks, queueIds))().then((end) => {
      running = undefined;
      handingOver = end;
      void inOrder(() => followUp(end));
      return end;
    });
    running = { scope: env.scope, done };
    return env.turn;
  };
  const startTold = async ({ blocks, masked }: MaskedPrompt) => {
    const turn = await start(blocks, []);
    await core.append(told(masked));
    return turn;
  };
  // What could not be delivered within the turn starts the next one; a stopped turn leaves the queue to the person.
  const followUp = async (end: TurnEnd) => {
    handingOver = undefined;
    const { queue } = core.view();
    if (running !== undefined || !goesOn(deps, end)) return;
    const blocks = queue.flatMap((item) => item.blocks);
    await start(blocks, idsOf(queue));
  };
  const stop = (cause: AbortCause) => stopTurn(running, cause);
  return {
    prompt: (given) =>
      inOrder(async () => {
        const { blocks, masked } = maskPrompt(given, deps.redact);
        if (running !== undefined || (handingOver !== undefined && goesOn(deps, handingOver))) return await queueUp(deps, { blocks, masked });
        const refused = await cannotStart(deps);
        return refused === undefined ? ok({ turn: await startTold({ blocks, masked }), queued: false }) : err(refused);
      }),
    resend: (id, blocks) =>
      inOrder(async () => {
        const prompt = await promptToResend(deps, id);
        if (!prompt.ok) return prompt;
        await stop({ by: "person" });
        await core.append([{ v: 1, type: "conversation_moved", to: prompt.value.parent, why: blocks === undefined ? "again" : "edited" }]);
        return ok({ turn: await startTold(maskPrompt(blocks ?? prompt.value.blocks, deps.redact)) });
      }),
    idle: async () => running?.done,
    begun: () => inOrder(async () => {}),
    stop,
    retryNow: bells.retryNow.ring,
    setMode: (mode) => setMode(core, bells, mode),
    sendNow: (id) =>
      inOrder(async () => {
        if (queuedAs(core, id) === undefined || (await cannotStart(deps)) !== undefined) return;
        await stop({ by: "person" });
        const item = queuedAs(core, id);
        if (item !== undefined) await start(item.blocks, [id]);
      }),
  };
}

async function stopTurn(running: Running | undefined, cause: AbortCause): Promise<void> {
  running?.scope.abort(cause);
  await running?.done;
}

function queuedAs(core: SessionCore, id: string) {
  return core.view().queue.find((queued) => queued.id === id);
}

function idsOf(queue: SessionView["queue"]): readonly string[] {
  return queue.map((item) => item.id);
}

/** Whether the queue starts the next turn by itself. */
function goesOn({ core, closing }: TurnsDeps, end: TurnEnd): boolean {
  return !closing.aborted && end.why !== "aborted" && core.view().queue.length > 0;
}

async function queueUp({ core, newId }: TurnsDeps, { blocks, masked }: MaskedPrompt) {
  await core.append([{ v: 1, type: "prompt_queued", id: newId(), blocks: [...blocks] }, ...told(masked)]);
  return ok({ turn: undefined, queued: true });
}

function told(masked: boolean): readonly SessionEvent[] {
  return masked ? [{ v: 1, type: "warning_raised", notice: { key: "notices.secret_masked" } }] : [];
}

type Prompt = { readonly parent: EntryId | null; readonly blocks: readonly Block[] };
type NoResend = { readonly kind: "unknown_prompt" | "folder_gone" | "read_only"; readonly message: string };

async function promptToResend(deps: TurnsDeps, id: EntryId): Promise<Result<Prompt, NoResend>> {
  const { entries, head } = deps.core.view();
  const prompt = [...ancestors(entries, head)].find((entry) => entry.id === id);
  if (prompt?.kind !== "prompt") return err({ kind: "unknown_prompt", message: "This message is no longer part of the conversation." });
  const refused = await cannotStart(deps);
  return refused === undefined ? ok(prompt) : err(refused);
}

async function cannotStart({ core, closing }: TurnsDeps): Promise<{ readonly kind: "folder_gone" | "read_only"; readonly message: string } | undefined> {
  const { cwd } = core.view();
  if (closing.aborted) return { kind: "read_only", message: "This session is closed." };
  return (await isFolder(cwd)) ? undefined : { kind: "folder_gone", message: `The folder ${cwd} is not there or cannot be read.` };
}

/** One piece of work after the other; one that fails does not hold up the next. */
function createOrder(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}

async function setMode(core: SessionCore, bells: Bells, mode: PermissionMode): Promise<void> {
  if (mode === core.view().mode) return;
  await core.append([{ v: 1, type: "mode_changed", mode }]);
  bells.modeChanged.ring();
}

type Bell = { ring(): void; follow(listener: () => void): Disposable };
type Bells = { readonly retryNow: Bell; readonly modeChanged: Bell };

function createBell(): Bell {
  const listeners = new Set<() => void>();
  return {
    ring() {
      for (const listener of listeners) listener();
    },
    follow(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
}

function makeEnv(deps: TurnsDeps, { turn, label }: Pick<TurnEnv, "turn" | "label">, bells: Bells): TurnEnv {
  const { core, questions, checkpoints } = deps;
  return {
    session: core.view().session,
    turn,
    label,
    folder: deps.folder,
    scope: deps.scope.child(`turn:${turn}`),
    waits: createWaits(deps.clock),
    view: core.view,
    append: core.append,
    live: core.live,
    onRetryNow: bells.retryNow.follow,
    onModeChanged: bells.modeChanged.follow,
    ask: (question, signal) => questions.ask(turn, question, signal),
    askPerson: (question, signal) => questions.askPerson(turn, question, signal),
    setMode: (mode) => setMode(core, bells, mode),
    checkpoint: (cause, signal) => checkpoints.take(cause, signal),
  };
}

/** Writes the prompt down; what it answers runs the turn to its end, checkpoints included. */
async function submit(deps: TurnsDeps, env: TurnEnv, blocks: readonly Block[], queueIds: readonly string[]): Promise<() => Promise<TurnEnd>> {
  const { turn, label } = env;
  const history = deps.project(env.view());
  const unqueued = queueIds.map((id): SessionEvent => ({ v: 1, type: "prompt_unqueued", id, why: "sent" }));
  await env.append([...unqueued, { v: 1, type: "prompt_submitted", entry: EntryId.parse(deps.newId()), turn, blocks: [...blocks] }]);
  return async () => {
    // Protection runs while the model is already answering; a call that may write waits for it in its own gate (K3).
    const protectedStart = env.checkpoint({ kind: "turn_start", label, turn }, deps.scope.signal);
    const end = await driveTurn(() => deps.openTurn(env), { history, prompt: { role: "user", blocks } }, env, deps);
    await protectedStart;
    await env.checkpoint({ kind: "turn_end", label, turn }, deps.scope.signal);
    return end;
  };
}

/** Whether `path` is a folder one can look into. */
export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

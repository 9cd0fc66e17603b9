// Typed request and answer over a worker thread. The verbs (zod both ways) are declared once; the same handlers can also
// be served in this thread by tests. Calls never reject: a failure is a value.
import { type MessagePort, parentPort, type TransferListItem, Worker } from "node:worker_threads";
import { z } from "zod";
import { err, ok, type Result } from "#shared/lib/result.ts";
import type { Clock } from "./clock.ts";

export type Verb = { readonly input: z.ZodType; readonly output: z.ZodType };
export type Verbs = Readonly<Record<string, Verb>>;

export type WorkerFailure = {
  /** `threw`: the handler did; `gone`: the thread ended or was closed; `timed_out`: it was ended because the call took too long */
  readonly kind: "threw" | "gone" | "timed_out" | "aborted" | "bad_message";
  readonly message: string;
};

export type HandlerContext = {
  readonly signal: AbortSignal;
  readonly progress: (value: unknown) => void;
};
export type Handlers<V extends Verbs> = {
  readonly [K in keyof V]: (input: z.output<V[K]["input"]>, cx: HandlerContext) => Promise<z.input<V[K]["output"]>>;
};

export type CallOptions = {
  /** The handler's signal aborts with it; the answer is still waited for. */
  readonly signal?: AbortSignal;
  /** ms; when it passes the whole thread is ended (a hung parser cannot be asked to stop) and the next call starts a new one */
  readonly timeoutMs?: number;
  readonly transfer?: readonly TransferListItem[];
  readonly onProgress?: (value: unknown) => void;
};

export interface WorkerCalls<V extends Verbs> {
  call<K extends keyof V & string>(verb: K, input: z.input<V[K]["input"]>, options?: CallOptions): Promise<Result<z.output<V[K]["output"]>, WorkerFailure>>;
  /** Ends the thread; calls in flight answer `gone`. Idempotent. */
  close(): Promise<void>;
}

const Request = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("call"), id: z.number(), verb: z.string(), input: z.unknown() }),
  z.object({ kind: z.literal("cancel"), id: z.number() }),
]);
const Answer = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("done"), id: z.number(), output: z.unknown() }),
  z.object({ kind: z.literal("threw"), id: z.number(), message: z.string() }),
  z.object({ kind: z.literal("progress"), id: z.number(), value: z.unknown() }),
]);
type Request = z.infer<typeof Request>;
type Answer = z.infer<typeof Answer>;

/** One way to reach the handlers: a thread, or this very thread. */
export interface Line {
  send(request: Request, transfer: readonly TransferListItem[]): void;
  /** keeps the process alive while a call is in flight, lets it end otherwise */
  busy(isBusy: boolean): void;
  end(): Promise<void>;
}
export type OpenLine = (onAnswer: (answer: Answer) => void, onGone: (why: string) => void) => Line;

const describe = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** Lazily starts `file` in a worker thread; a thread that died is started again by the next call. */
export function createWorkerCalls<V extends Verbs>(
  verbs: V,
  worker: { readonly file: string | URL; readonly data?: unknown; readonly clock: Clock },
): WorkerCalls<V> {
  return connect(verbs, worker.clock, (onAnswer, onGone) => {
    const thread = new Worker(worker.file, { workerData: worker.data });
    thread.unref();
    thread.on("message", (message: unknown) => {
      const answer = Answer.safeParse(message);
      if (answer.success) onAnswer(answer.data);
    });
    thread.on("error", (error) => onGone(describe(error)));
    // an answer that cannot be read leaves its call open for ever: the thread is of no more use
    thread.on("messageerror", (error) => {
      onGone(describe(error));
      void thread.terminate();
    });
    thread.on("exit", (code) => onGone(`the worker ended with code ${code}`));
    return {
      send: (request, transfer) => thread.postMessage(request, transfer),
      busy: (isBusy) => (isBusy ? thread.ref() : thread.unref()),
      end: async () => void (await thread.terminate()),
    };
  });
}

/** Called once by a worker's entry file. */
export function serveWorker<V extends Verbs>(verbs: V, handlers: Handlers<V>, port: Pick<MessagePort, "on" | "postMessage"> | null = parentPort): void {
  if (port === null) throw new Error("serveWorker was called outside a worker thread");
  const serve = createServer(verbs, handlers, (answer) => port.postMessage(answer));
  port.on("message", (message: unknown) => {
    const request = Request.safeParse(message);
    if (request.success) serve(request.data);
  });
}

/** Runs the handlers for requests from wherever they come. */
export function createServer<V extends Verbs>(verbs: V, handlers: Handlers<V>, answer: (answer: Answer) => void): (request: Request) => void {
  const running = new Map<number, AbortController>();
  const run = async <K extends keyof V & string>(verb: K, id: number, input: unknown) => {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const schema: V[K]["input"] | undefined = verbs[verb]?.input;
      if (schema === undefined) throw new Error(`no such verb: ${verb}`);
      const output = await handlers[verb](schema.parse(input), { signal: controller.signal, progress: (value) => answer({ kind: "progress", id, value }) });
      answer({ kind: "done", id, output });
    } catch (error) {
      answer({ kind: "threw", id, message: describe(error) });
    } finally {
      running.delete(id);
    }
  };
  return (request) => {
    if (request.kind === "cancel") running.get(request.id)?.abort();
    else void run(request.verb, request.id, request.input);
  };
}

type Settle = (result: Result<unknown, WorkerFailure>) => void;

/** The calls whose answers are waited for. */
function createWaitingCalls() {
  const waiting = new Map<number, { readonly settle: Settle; readonly onProgress: ((value: unknown) => void) | undefined }>();
  return {
    add: (id: number, settle: Settle, onProgress: ((value: unknown) => void) | undefined) => void waiting.set(id, { settle, onProgress }),
    /** False: it was settled before. */
    remove: (id: number) => waiting.delete(id),
    isEmpty: () => waiting.size === 0,
    failAll(failure: WorkerFailure) {
      const all = [...waiting.values()];
      for (const one of all) one.settle(err(failure));
    },
    onAnswer(answer: Answer) {
      const one = waiting.get(answer.id);
      if (one === undefined) return;
      if (answer.kind === "progress") one.onProgress?.(answer.value);
      else one.settle(answer.kind === "done" ? ok(answer.output) : err({ kind: "threw", message: answer.message }));
    },
  };
}

/** Calls over any line. */
export function connect<V extends Verbs>(verbs: V, clock: Clock, open: OpenLine): WorkerCalls<V> {
  const waiting = createWaitingCalls();
  let line: Line | undefined;
  let lastId = 0;
  let closed = false;

  const theLine = (): Line => {
    if (line) return line;
    const opened = open(waiting.onAnswer, (why) => {
      if (line !== opened) return;
      line = undefined;
      waiting.failAll({ kind: "gone", message: why });
    });
    line = opened;
    return opened;
  };
  const end = async (failure: WorkerFailure) => {
    const ending = line;
    line = undefined;
    waiting.failAll(failure);
    await ending?.end();
  };
  const send = (verb: string, input: unknown, options: CallOptions): Promise<Result<unknown, WorkerFailure>> =>
    new Promise((resolve) => {
      const id = (lastId += 1);
      const current = theLine();
      const onAbort = () => current.send({ kind: "cancel", id }, []);
      const { timeoutMs, signal, transfer = [] } = options;
      const onTime = () => void end({ kind: "timed_out", message: `${verb} took longer than ${timeoutMs} ms` });
      const timer = timeoutMs === undefined ? undefined : clock.schedule(timeoutMs, onTime);
      const settle: Settle = (result) => {
        if (!waiting.remove(id)) return;
        timer?.[Symbol.dispose]();
        signal?.removeEventListener("abort", onAbort);
        if (waiting.isEmpty()) line?.busy(false);
        resolve(result);
      };
      waiting.add(id, settle, options.onProgress);
      current.busy(true);
      try {
        current.send({ kind: "call", id, verb, input }, transfer);
        signal?.addEventListener("abort", onAbort, { once: true });
      } catch (error) {
        settle(err({ kind: "bad_message", message: describe(error) }));
      }
    });

  return {
    async call(verb, input, options = {}) {
      if (closed) return err({ kind: "gone", message: "closed" });
      if (options.signal?.aborted) return err({ kind: "aborted", message: "aborted before it was sent" });
      const answer = await send(verb, input, options);
      return answer.ok ? parseAnswer(verbs, verb, answer.value) : answer;
    },
    async close() {
      closed = true;
      await end({ kind: "gone", message: "closed" });
    },
  };
}

function parseAnswer<V extends Verbs, K extends keyof V & string>(verbs: V, verb: K, value: unknown): Result<z.output<V[K]["output"]>, WorkerFailure> {
  const output: V[K]["output"] | undefined = verbs[verb]?.output;
  const parsed = output?.safeParse(value);
  return parsed?.success ? ok(parsed.data) : err({ kind: "bad_message", message: `answer of ${verb} does not fit its schema` });
}

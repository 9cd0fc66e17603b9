// The window's end of the wire: a contract and a transport become typed calls, streams and jobs (R1).
// Every frame and every answer is parsed. A call never rejects: what breaks on the way comes back as a `wire` error.
import { z } from "zod";
import { err, ok, type Result } from "#shared/lib/result.ts";
import type { AnyDef, ClientOf, Contract, WireError } from "./define.ts";
import { Answer } from "./envelope.ts";
import type { Transport } from "./transport.ts";

type Outcome = Result<unknown, unknown>;
type ReplyDef = Extract<AnyDef, { kind: "call" | "job" }>;
type StreamDefAny = Extract<AnyDef, { kind: "stream" }>;
type Pending = { readonly onAnswer: (answer: Answer) => void; readonly onClosed: () => void };
type Ask = {
  readonly d: string;
  readonly v: string;
  readonly input: unknown;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (body: unknown) => void;
};
type Open = { readonly d: string; readonly v: string; readonly key: unknown; readonly onItem: (item: unknown) => void; readonly onGone: () => void };

const WireFailure = z.object({ kind: z.literal("wire"), message: z.string() });
const ignore = (): void => undefined;

/** Typed client over `transport`. One client per transport: it is the only listener. */
export function createClient<C extends Contract>(contract: C, transport: Transport): ClientOf<C> {
  const wire = createWire(transport);
  const domains = Object.entries(contract).map(([d, verbs]) => [
    d,
    Object.fromEntries(Object.entries(verbs).map(([v, def]) => [v, verbOf(wire, def, { d, v })])),
  ]);
  // The shape follows from the contract member by member; TypeScript cannot see that through Object.entries.
  return Object.fromEntries(domains) as ClientOf<C>;
}

function verbOf(wire: Wire, def: AnyDef, name: { readonly d: string; readonly v: string }): unknown {
  switch (def.kind) {
    case "call":
      return (input: unknown, signal?: AbortSignal) => wire.ask(def, { ...name, input, signal, onProgress: ignore });
    case "job":
      return (input: unknown, onProgress: (body: unknown) => void, signal?: AbortSignal) => wire.ask(def, { ...name, input, signal, onProgress });
    case "stream":
      return (key: unknown, onItem: (item: unknown) => void, onGone: () => void = ignore) => wire.open(def, { ...name, key, onItem, onGone });
  }
}

interface Wire {
  ask(def: ReplyDef, ask: Ask): Promise<Outcome>;
  open(def: StreamDefAny, open: Open): Disposable;
}

function createWire(transport: Transport): Wire {
  const line = createLine(transport);
  return { ask: (def, ask) => startAsk(line, def, ask), open: (def, open) => startOpen(line, def, open) };
}

/** What is waiting for an answer, by frame id. `add` answers undefined once the connection is closed. */
interface Line {
  add(make: (id: number) => Pending): number | undefined;
  /** True when it was still waiting. */
  drop(id: number): boolean;
  send(frame: unknown): void;
}

function createLine(transport: Transport): Line {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let closed = false;
  transport.listen(
    (frame) => {
      const answer = Answer.safeParse(frame);
      if (answer.success) pending.get(answer.data.id)?.onAnswer(answer.data);
    },
    () => {
      closed = true;
      const waiting = [...pending.values()];
      pending.clear();
      for (const entry of waiting) entry.onClosed();
    },
  );
  return {
    add: (make) => {
      if (closed) return undefined;
      const id = ++lastId;
      pending.set(id, make(id));
      return id;
    },
    drop: (id) => pending.delete(id),
    send: (frame) => transport.send(frame),
  };
}

function startAsk(line: Line, def: ReplyDef, { d, v, input, signal, onProgress }: Ask): Promise<Outcome> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve(err(wireError("cancelled")));
    const id = line.add((own) => ({
      onClosed: () => settle(own, err(wireError("the connection is closed"))),
      onAnswer: (answer) => {
        if (answer.t === "result") settle(own, readResult(def, `${d}.${v}`, answer));
        else if (answer.t === "progress" && def.kind === "job") readProgress(def.progress, answer.body, onProgress);
      },
    }));
    if (id === undefined) return resolve(err(wireError("the connection is closed")));
    const onAbort = (): void => {
      line.send({ t: "cancel", id });
      settle(id, err(wireError("cancelled")));
    };
    const settle = (own: number, outcome: Outcome): void => {
      line.drop(own);
      signal?.removeEventListener("abort", onAbort);
      resolve(outcome);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    line.send({ t: "call", id, d, v, input });
  });
}

function startOpen(line: Line, def: StreamDefAny, { d, v, key, onItem, onGone }: Open): Disposable {
  const id = line.add((own) => ({
    onClosed: onGone,
    onAnswer: (answer) => {
      if (answer.t === "gone" && line.drop(own)) return onGone();
      if (answer.t !== "item") return;
      const item = def.item.safeParse(answer.body);
      if (item.success) return onItem(item.data);
      // An item that does not parse is a hole: end the stream, so that the follower asks again instead of going on without it.
      line.send({ t: "close", id: own });
      if (line.drop(own)) onGone();
    },
  }));
  if (id === undefined) {
    // Told later, like every other end: the caller still holds no handle at this moment.
    void Promise.resolve().then(onGone);
    return { [Symbol.dispose]: ignore };
  }
  line.send({ t: "open", id, d, v, key });
  return {
    [Symbol.dispose]: () => {
      if (line.drop(id)) line.send({ t: "close", id });
    },
  };
}

function readResult(def: ReplyDef, name: string, answer: { readonly ok: boolean; readonly body: unknown }): Outcome {
  const parsed = (answer.ok ? def.output : z.union([WireFailure, def.error])).safeParse(answer.body);
  if (!parsed.success) return err(wireError(`${name} answered in an unknown shape: ${z.prettifyError(parsed.error)}`));
  return answer.ok ? ok(parsed.data) : err(parsed.data);
}

function readProgress(schema: z.ZodType, body: unknown, onProgress: (body: unknown) => void): void {
  const parsed = schema.safeParse(body);
  if (parsed.success) onProgress(parsed.data);
}

function wireError(message: string): WireError {
  return { kind: "wire", message };
}

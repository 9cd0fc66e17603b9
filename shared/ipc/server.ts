// The main process's end of the wire: frames are parsed, inputs and answers are checked by the contract, callers can cancel (R1, R4).
// Answers are checked too: a handler that returns what the contract does not allow is our bug and must not reach the window.
import { z } from "zod";
import type { AnyDef, Contract, HandlersOf } from "./define.ts";
import { Request } from "./envelope.ts";
import type { Transport } from "./transport.ts";

export type ServeOptions = {
  /** one abort handle per running request */
  newAbort(): { readonly signal: AbortSignal; abort(): void };
  /** bad frames and throwing handlers, for the log */
  report(problem: string): void;
};

type Open = { abort(): void };
type Handler = (input: unknown, second: unknown, third?: unknown) => unknown;
type Verb = { readonly name: string; readonly def: AnyDef; readonly handler: Handler };
type Ask = { readonly id: number; readonly input: unknown; readonly signal: AbortSignal };

const Outcome = z.union([z.object({ ok: z.literal(true), value: z.unknown() }), z.object({ ok: z.literal(false), error: z.unknown() })]);

/** Answers requests until the transport closes; closing aborts whatever runs for it. */
export function serve<C extends Contract>(contract: C, handlers: HandlersOf<C>, transport: Transport, options: ServeOptions): Disposable {
  const verbs = tableOf(contract, handlers);
  const open = new Map<number, Open>();
  const closeAll = () => {
    for (const each of open.values()) each.abort();
    open.clear();
  };
  const begin = (id: number): AbortSignal => {
    const handle = options.newAbort();
    open.set(id, handle);
    return handle.signal;
  };
  const handle = async (request: Request): Promise<void> => {
    if (request.t === "cancel" || request.t === "close") {
      open.get(request.id)?.abort();
      open.delete(request.id);
      return;
    }
    const verb = verbs.get(`${request.d}.${request.v}`);
    const fits = verb !== undefined && (verb.def.kind === "stream") === (request.t === "open") && !open.has(request.id);
    if (!fits) return refuse(transport, request, "unknown request");
    const ask: Ask = { id: request.id, input: request.t === "open" ? request.key : request.input, signal: begin(request.id) };
    if (verb.def.kind === "stream") return startStream(verb, verb.def.key, verb.def.item, { transport, ask, options });
    await answer(verb, verb.def, { transport, ask, options });
    open.delete(request.id);
  };
  transport.listen((frame) => {
    const request = Request.safeParse(frame);
    if (request.success) void handle(request.data);
    else options.report("a frame that is no request was dropped");
  }, closeAll);
  return { [Symbol.dispose]: closeAll };
}

type Connection = { readonly transport: Transport; readonly ask: Ask; readonly options: ServeOptions };

function refuse(transport: Transport, request: Extract<Request, { t: "call" | "open" }>, message: string): void {
  if (request.t === "open") transport.send({ t: "gone", id: request.id });
  else transport.send({ t: "result", id: request.id, ok: false, body: { kind: "wire", message } });
}

function startStream(verb: Verb, key: z.ZodType, item: z.ZodType, { transport, ask, options }: Connection): void {
  const parsed = key.safeParse(ask.input);
  if (!parsed.success) return transport.send({ t: "gone", id: ask.id });
  const send = (value: unknown) => {
    if (ask.signal.aborted) return;
    const checked = item.safeParse(value);
    if (checked.success) return transport.send({ t: "item", id: ask.id, body: checked.data });
    options.report(`${verb.name} sent an item outside its contract`);
    transport.send({ t: "gone", id: ask.id });
  };
  try {
    verb.handler(parsed.data, send, ask.signal);
  } catch (error) {
    options.report(`${verb.name} threw: ${messageOf(error)}`);
    transport.send({ t: "gone", id: ask.id });
  }
}

async function answer(verb: Verb, def: Exclude<AnyDef, { kind: "stream" }>, { transport, ask, options }: Connection): Promise<void> {
  const wire = (message: string) => transport.send({ t: "result", id: ask.id, ok: false, body: { kind: "wire", message } });
  const parsed = def.input.safeParse(ask.input);
  if (!parsed.success) return wire(`bad request: ${z.prettifyError(parsed.error)}`);
  const progress = (value: unknown) => {
    if (!ask.signal.aborted) transport.send({ t: "progress", id: ask.id, body: value });
  };
  try {
    const done = Outcome.parse(await (def.kind === "job" ? verb.handler(parsed.data, progress, ask.signal) : verb.handler(parsed.data, ask.signal)));
    const body = done.ok ? def.output.parse(done.value) : def.error.parse(done.error);
    transport.send({ t: "result", id: ask.id, ok: done.ok, body });
  } catch (error) {
    options.report(`${verb.name} failed: ${messageOf(error)}`);
    wire(`internal error: ${messageOf(error)}`);
  }
}

function tableOf<C extends Contract>(contract: C, handlers: HandlersOf<C>): ReadonlyMap<string, Verb> {
  const table = new Map<string, Verb>();
  for (const [domain, verbs] of Object.entries(contract)) {
    const group: object = handlers[domain] ?? {};
    for (const [name, def] of Object.entries(verbs)) {
      const handler: unknown = Object.entries(group).find(([key]) => key === name)?.[1];
      if (isHandler(handler)) table.set(`${domain}.${name}`, { name: `${domain}.${name}`, def, handler });
    }
  }
  return table;
}

function isHandler(value: unknown): value is Handler {
  return typeof value === "function";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

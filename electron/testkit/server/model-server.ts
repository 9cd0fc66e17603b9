// A local server that speaks Anthropic Messages, OpenAI Responses and Chat Completions, plays a script
// and checks every request it gets. Loopback only.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { type Clock, createSystemClock } from "#electron/lib/clock.ts";
import type { Frame, RenderContext } from "./frames.ts";
import { play } from "./play.ts";
import { ANTHROPIC_KEEP_ALIVE, renderAnthropic } from "./render-anthropic.ts";
import { renderChat } from "./render-chat.ts";
import { OPENAI_KEEP_ALIVE, renderResponses } from "./render-responses.ts";
import { type Script, type ScriptedReply, replyFor } from "./script.ts";
import { type Protocol, type SeenRequest, seeBody } from "./seen-request.ts";
import { violationsOf } from "./validate-request.ts";

export interface RecordedRequest {
  readonly protocol: Protocol;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: unknown;
  readonly seen: SeenRequest;
  /** ms of the server's clock when the request had arrived */
  readonly at: number;
  /** true once the client went away before the reply had ended */
  readonly abandoned: boolean;
}

export interface ModelServer {
  /** base for Anthropic; OpenAI clients take `${url}/v1` */
  readonly url: string;
  /** requests for replies, oldest first; model lists are not among them */
  readonly requests: readonly RecordedRequest[];
  /** what the validator found wrong, with the number of the request */
  readonly violations: readonly string[];
  /** connections that carried a request and are still open; a client may hold idle ones besides */
  openSockets(): number;
  /** Throws when any request so far was one that a provider would refuse. */
  assertClean(): void;
  close(): Promise<void>;
}

export type ModelServerOptions = {
  readonly script: Script;
  readonly clock?: Clock;
  /** names answered to a request for the model list */
  readonly models?: readonly string[];
  /** status of the model list when it is not 200 */
  readonly modelsStatus?: number;
  readonly port?: number;
};

type State = {
  readonly options: ModelServerOptions;
  readonly clock: Clock;
  readonly requests: (RecordedRequest & { abandoned: boolean })[];
  readonly violations: string[];
  readonly signatures: Map<string, string>;
  readonly closing: AbortController;
};

export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const state: State = {
    options,
    clock: options.clock ?? createSystemClock(),
    requests: [],
    violations: [],
    signatures: new Map(),
    closing: new AbortController(),
  };
  const sockets = new Set<object>();
  const server = http.createServer((request, response) => {
    if (!sockets.has(request.socket)) request.socket.once("close", () => sockets.delete(request.socket));
    sockets.add(request.socket);
    handle(state, request, response).catch((error: unknown) => {
      state.violations.push(`the server failed: ${String(error)}`);
      response.destroy();
    });
  });
  server.on("connection", (socket) => {
    socket.setNoDelay(true);
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    requests: state.requests,
    violations: state.violations,
    openSockets: () => sockets.size,
    assertClean: () => {
      if (state.violations.length > 0) throw new Error(`Requests a provider would refuse:\n${state.violations.join("\n")}`);
    },
    close: () => {
      state.closing.abort();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

async function handle(state: State, request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const path = new URL(request.url ?? "/", "http://local").pathname;
  const protocol = protocolOf(path);
  if (request.method === "GET" && path.endsWith("/models")) return sendModels(state, request, response);
  if (request.method !== "POST" || protocol === undefined) {
    state.violations.push(`unexpected request: ${request.method ?? ""} ${path}`);
    return void response.writeHead(404, { "content-type": "application/json" }).end('{"error":{"message":"unknown path"}}');
  }
  const body = parsed(await bodyOf(request));
  const n = state.requests.length;
  const seen = seeBody(protocol, body);
  const record = { protocol, path, headers: request.headers, body, seen, at: state.clock.monotonic(), abandoned: false };
  state.requests.push(record);
  state.violations.push(...violationsOf(protocol, body, state.signatures).map((what) => `request ${n + 1}: ${what}`));
  const reply = replyFor(state.options.script, seen, n) ?? { fault: { kind: "status", status: 418, message: `the script has no reply for request ${n + 1}` } };
  remember(state.signatures, reply);
  const gone = goneSignal(state, response, record);
  await play({
    protocol,
    response,
    reply,
    frames: framesFor(protocol, reply, { n, model: seen.model, wantsUsage: wantsUsage(body) }),
    keepAlive: protocol === "anthropic" ? ANTHROPIC_KEEP_ALIVE : OPENAI_KEEP_ALIVE,
    clock: state.clock,
    gone,
  });
}

function goneSignal(state: State, response: http.ServerResponse, record: { abandoned: boolean }): AbortSignal {
  const controller = new AbortController();
  response.on("error", () => {});
  const closing = () => controller.abort();
  response.on("close", () => {
    if (!response.writableFinished && !state.closing.signal.aborted) record.abandoned = true;
    state.closing.signal.removeEventListener("abort", closing);
    controller.abort();
  });
  state.closing.signal.addEventListener("abort", closing, { once: true });
  return controller.signal;
}

function framesFor(protocol: Protocol, reply: ScriptedReply, context: RenderContext): readonly Frame[] {
  switch (protocol) {
    case "anthropic":
      return renderAnthropic(reply, context);
    case "openai-responses":
      return renderResponses(reply, context);
    case "openai-chat":
      return renderChat(reply, context);
  }
}

/** The server remembers what it signed, so that a changed or foreign signature is found. */
function remember(signatures: Map<string, string>, reply: ScriptedReply): void {
  for (const part of reply.parts ?? []) {
    if (part.type === "thinking" && part.signature !== undefined) signatures.set(part.signature, part.text);
    if (part.type === "opaque") signatures.set(part.data, "");
  }
}

function wantsUsage(body: unknown): boolean {
  return JSON.stringify(body).includes('"include_usage":true');
}

function protocolOf(path: string): Protocol | undefined {
  if (path.endsWith("/v1/messages")) return "anthropic";
  if (path.endsWith("/responses")) return "openai-responses";
  return path.endsWith("/chat/completions") ? "openai-chat" : undefined;
}

function sendModels(state: State, request: http.IncomingMessage, response: http.ServerResponse): void {
  const status = state.options.modelsStatus ?? 200;
  response.writeHead(status, { "content-type": "application/json" });
  if (status !== 200)
    return void response.end(JSON.stringify({ type: "error", error: { type: "authentication_error", message: "invalid key", code: "invalid_api_key" } }));
  const data = (state.options.models ?? []).map((id) => ({
    id,
    type: "model",
    object: "model",
    display_name: id,
    created: 0,
    created_at: "2026-01-01T00:00:00Z",
    owned_by: "test",
  }));
  const page =
    request.headers["anthropic-version"] === undefined
      ? { object: "list" }
      : { has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
  response.end(JSON.stringify({ data, ...page }));
}

async function bodyOf(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

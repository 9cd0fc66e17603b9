// Sends rendered frames over one HTTP response, at the script's pace and with its faults.
import type { ServerResponse } from "node:http";
import { setImmediate as nextRound } from "node:timers/promises";
import { wellFormed } from "#shared/lib/text.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { Frame } from "./frames.ts";
import type { Protocol } from "./seen-request.ts";
import { sseData, sseEvent } from "./frames.ts";
import type { Fault, Pace, ScriptedReply } from "./script.ts";

export type Playing = {
  readonly protocol: Protocol;
  readonly response: ServerResponse;
  readonly reply: ScriptedReply;
  readonly frames: readonly Frame[];
  readonly keepAlive: string;
  readonly clock: Clock;
  /** aborted when the client went away or the server closes */
  readonly gone: AbortSignal;
};

const WRITE_BYTES = 16_384;
/** Time for what was written to reach the client before the connection is reset. */
const FLUSH_MS = 30;
const HTML = "<!DOCTYPE html><html><head><title>Sign in</title></head><body><h1>Welcome to the network</h1><p>Please sign in.</p></body></html>";

export async function play(playing: Playing): Promise<void> {
  const { response, reply, gone } = playing;
  const fault = reply.fault;
  if (fault !== undefined && strikesFirst(fault)) return strikeFirst(playing, fault);
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  response.flushHeaders();
  if (fault?.kind === "raw") await send(playing, [{ sse: fault.lines.map((line) => `${line}\n`).join(""), role: "delta", part: 0 }]);
  else await send(playing, cutByFault(playing.frames, fault));
  if (gone.aborted) return;
  if (fault === undefined) return void response.end();
  await strike(playing, fault);
}

function strikesFirst(fault: Fault): boolean {
  return fault.kind === "status" || fault.kind === "html" || ("when" in fault && fault.when === "before_headers");
}

async function strikeFirst(playing: Playing, fault: Fault): Promise<void> {
  if (fault.kind === "status") return sendStatus(playing, fault);
  if (fault.kind === "html") return void playing.response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(HTML);
  return strike(playing, fault);
}

async function send(playing: Playing, frames: readonly Frame[]): Promise<void> {
  const pace: Pace = playing.reply.pace ?? {};
  let pending = "";
  const flush = async () => {
    const bytes = Buffer.from(pending);
    pending = "";
    if (bytes.length > 0) await write(playing, bytes, pace.splitBytes);
  };
  for (const frame of frames) {
    if (playing.gone.aborted) return;
    if ("waitMs" in frame) {
      await flush();
      await playing.clock.sleep(frame.waitMs, playing.gone);
      continue;
    }
    pending += frame.sse;
    if (pace.everyMs !== undefined) {
      await flush();
      await playing.clock.sleep(pace.everyMs, playing.gone);
    } else if (pending.length >= WRITE_BYTES) await flush();
  }
  await flush();
}

async function write(playing: Playing, bytes: Buffer, splitBytes: number | undefined): Promise<void> {
  const size = splitBytes ?? bytes.length;
  for (let from = 0; from < bytes.length && !playing.gone.aborted; from += size) {
    const ready = playing.response.write(bytes.subarray(from, from + size));
    if (splitBytes !== undefined) await nextRound();
    if (!ready) await drained(playing);
  }
}

function drained(playing: Playing): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      playing.response.off("drain", done);
      playing.gone.removeEventListener("abort", done);
      resolve();
    };
    playing.response.once("drain", done);
    playing.gone.addEventListener("abort", done, { once: true });
    if (playing.gone.aborted) done();
  });
}

function cutByFault(frames: readonly Frame[], fault: Fault | undefined): readonly Frame[] {
  if (fault?.kind === "empty_body") return [];
  if (fault === undefined || !("when" in fault)) return fault?.kind === "error_event" ? [] : frames;
  if (fault.when === "after_headers" || fault.when === undefined) return [];
  const content = frames.filter((frame) => "waitMs" in frame || frame.role !== "end");
  if (fault.when === "before_end") return content;
  const lastPart = content.reduce((last, frame) => ("waitMs" in frame ? last : Math.max(last, frame.part)), -1);
  const deltas = content.filter((frame) => "sse" in frame && frame.part === lastPart && frame.role === "delta");
  const stopAfter = deltas[Math.ceil(deltas.length / 2) - 1];
  return stopAfter === undefined ? content : content.slice(0, content.indexOf(stopAfter) + 1);
}

async function strike(playing: Playing, fault: Fault): Promise<void> {
  const { response, clock, gone } = playing;
  const kind = fault.kind === "raw" ? (fault.end ?? "eof") : fault.kind;
  if (kind === "reset") {
    await clock.sleep(FLUSH_MS, gone);
    response.socket?.resetAndDestroy();
    return;
  }
  if (kind === "error_event" && fault.kind === "error_event") response.write(errorEvent(playing.protocol, fault));
  if (kind === "hang") return hang(playing, fault.kind === "hang" ? fault.keepAliveMs : undefined);
  response.end();
}

async function hang({ response, clock, gone, keepAlive }: Playing, everyMs: number | undefined): Promise<void> {
  while (!gone.aborted && everyMs !== undefined) {
    await clock.sleep(everyMs, gone);
    if (!gone.aborted) response.write(keepAlive);
  }
  if (!gone.aborted) await new Promise<void>((resolve) => gone.addEventListener("abort", () => resolve(), { once: true }));
}

function errorEvent(protocol: Protocol, fault: Extract<Fault, { kind: "error_event" }>): string {
  const message = fault.message ?? "Overloaded";
  switch (protocol) {
    case "anthropic":
      return sseEvent("error", { type: "error", error: { type: fault.code ?? "overloaded_error", message } });
    case "openai-responses":
      return sseEvent("error", { type: "error", code: fault.code ?? "server_is_overloaded", message, param: null, sequence_number: 9 });
    case "openai-chat":
      return sseData({ error: { message, type: "server_error", code: fault.code ?? "server_is_overloaded" } });
  }
}

function sendStatus({ response, protocol }: Playing, fault: Extract<Fault, { kind: "status" }>): void {
  const message = fault.message ?? `status ${fault.status}`;
  const body =
    protocol === "anthropic"
      ? { type: "error", error: { type: fault.code ?? anthropicType(fault.status), message }, request_id: "req_1" }
      : { error: { message, type: "invalid_request_error", param: null, code: fault.code ?? null } };
  const headers = { "content-type": "application/json", ...fault.headers };
  response.writeHead(fault.status, headers).end(fault.body === undefined ? JSON.stringify(body) : wellFormed(fault.body));
}

function anthropicType(status: number): string {
  const types: Readonly<Record<number, string>> = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
  };
  return types[status] ?? "api_error";
}

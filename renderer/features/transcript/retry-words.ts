// Why a request is tried again, as a key of `working.why`: people are told what happened, not its code (L20).
import type { LiveEvent } from "#shared/events/live.ts";

export type RetryWhy = "overloaded" | "rate_limit" | "server" | "time" | "cut" | "connection" | "fault";

const CODES: Readonly<Record<string, RetryWhy>> = {
  overloaded: "overloaded",
  rate_limit: "rate_limit",
  server: "server",
  timeout: "time",
  headers: "time",
  no_bytes: "time",
  no_content: "time",
  no_progress: "time",
  watcher: "time",
  attempt: "time",
  step: "time",
  eof: "cut",
  empty: "cut",
  no_stop_reason: "cut",
  network: "connection",
};
const STATUS: Readonly<Record<number, RetryWhy>> = { 408: "time", 429: "rate_limit", 503: "overloaded", 529: "overloaded" };

export function retryWhy({ why, status }: Pick<Extract<LiveEvent, { type: "retrying" }>, "why" | "status">): RetryWhy {
  const known = status === undefined ? undefined : (STATUS[status] ?? (status >= 500 ? "server" : undefined));
  return known ?? CODES[why] ?? (/^(?:E[A-Z]|UND_ERR|net::)/.test(why) ? "connection" : "fault");
}

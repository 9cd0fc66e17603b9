import { describe, expect, it } from "vitest";
import { createManualClock } from "#electron/testkit/manual-clock.ts";
import { carriedFailure, createGuardedFetch, type Fetch } from "./guarded-fetch.ts";

async function failureFrom(fetch: Fetch, clock = createManualClock()) {
  const guarded = createGuardedFetch({ fetch, clock, host: "h", secrets: ["s3cr3t"] });
  try {
    await guarded("http://h/");
    return undefined;
  } catch (error) {
    return carriedFailure(new Error("wrapped", { cause: error }));
  }
}

describe("the guarded fetch", () => {
  it("sends only headers a request needs", async () => {
    const seen: string[][] = [];
    const guarded = createGuardedFetch({
      fetch: async (_input, init) => {
        seen.push([...new Headers(init?.headers).keys()]);
        return new Response("ok");
      },
      clock: createManualClock(),
      host: "h",
      secrets: [],
    });
    await guarded("http://h/", {
      headers: { authorization: "Bearer x", "anthropic-version": "1", "x-stainless-lang": "js", "x-from-environment": "y", cookie: "z" },
    });
    expect(seen).toEqual([["anthropic-version", "authorization", "x-stainless-lang"]]);
  });

  it("carries a failure through the error an SDK makes of it, without secrets", async () => {
    const failure = await failureFrom(
      async () => new Response('{"error":{"message":"key s3cr3t is wrong"}}', { status: 401, headers: { "retry-after": "2" } }),
    );
    expect(failure).toEqual({ kind: "auth", retryable: false, status: 401, message: "key [hidden] is wrong", retryAfterMs: 2_000 });
  });

  it("does not wait for an error body that never ends", async () => {
    const clock = createManualClock();
    const endless = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new TextEncoder().encode("half a rea")) });
    const failing = failureFrom(async () => new Response(endless, { status: 500 }), clock);
    await clock.advance(10_000);
    expect(await failing).toMatchObject({ kind: "server", status: 500, message: "half a rea" });
    expect(clock.pending()).toBe(0);
  });

  it("reads only so much of a huge error body", async () => {
    let pulled = 0;
    const huge = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(16_384).fill(97));
      },
    });
    expect(await failureFrom(async () => new Response(huge, { status: 502 }))).toMatchObject({ kind: "server", status: 502 });
    expect(pulled).toBeLessThan(10);
  });
});

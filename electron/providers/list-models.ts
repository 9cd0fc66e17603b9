// Tests a key and an address: asks the server for its list of models, once, and says what is wrong otherwise.
import { z } from "zod";
import { type Result, err, ok } from "#shared/lib/result.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { ProviderConfig, ProviderFailure, ProviderFailureKind } from "./contract.ts";
import { setupOf } from "./setup-of.ts";
import { failureOfThrown } from "#electron/providers/failures/from-error.ts";
import { describeHtml, looksLikeHtml, safeMessage } from "#electron/providers/failures/safe-message.ts";
import { carriedFailure } from "#electron/providers/wire/guarded-fetch.ts";
import type { Setup } from "#electron/providers/wire/setup.ts";

export type ConnectionProblem = { readonly kind: ProviderFailureKind; readonly message: string };

const TEST_MS = 20_000;
const MAX_MODELS = 1_000;

const Entry = z.union([z.looseObject({ id: z.string() }).transform((entry) => entry.id), z.looseObject({ name: z.string() }).transform((entry) => entry.name)]);
const ModelList = z.union([
  z.looseObject({ data: z.array(Entry) }).transform((list) => list.data),
  z.looseObject({ models: z.array(Entry) }).transform((list) => list.models),
]);

/** Names of models, as the server orders them. A server without such a list answers with an empty one, which is fine. */
export async function testConnection(
  config: ProviderConfig,
  deps: { readonly clock: Clock },
): Promise<Result<{ readonly models: readonly string[] }, ConnectionProblem>> {
  if (config.id === "demo") return ok({ models: ["demo"] });
  const setup = setupOf(config, deps);
  if (!setup.ok) return err(problem(setup.error));
  const timer = new AbortController();
  const timeout = deps.clock.schedule(TEST_MS, () => timer.abort());
  try {
    const response = await requestList(config.id, setup.value, timer.signal);
    const text = await response.text();
    const models = ModelList.safeParse(parsed(text));
    if (!models.success) return err({ kind: "protocol", message: safeMessage(noList(setup.value.endpoint.host, text), setup.value.secrets) });
    return ok({ models: models.data.slice(0, MAX_MODELS) });
  } catch (error) {
    if (timer.signal.aborted) return err({ kind: "timeout", message: `${setup.value.endpoint.host} did not answer within ${TEST_MS / 1000} s` });
    return fromFailure(
      carriedFailure(error) ??
        failureOfThrown(error, { signal: timer.signal, now: deps.clock.now(), secrets: setup.value.secrets, host: setup.value.endpoint.host }),
    );
  } finally {
    timeout[Symbol.dispose]();
    timer.abort();
  }
}

async function requestList(id: "anthropic" | "openai" | "openai-chat", setup: Setup, signal: AbortSignal): Promise<Response> {
  if (id === "anthropic") {
    const { createAnthropicClient } = await import("#electron/providers/anthropic/client.ts");
    return createAnthropicClient(setup)
      .get("/v1/models", { query: { limit: MAX_MODELS }, signal })
      .asResponse();
  }
  const { createOpenAiClient } = await import("./openai-client.ts");
  return createOpenAiClient(setup).get("/models", { signal }).asResponse();
}

function noList(host: string, text: string): string {
  return looksLikeHtml(text)
    ? `${describeHtml(text)} instead of a list of models; check the base URL`
    : `${host} answered, but not with a list of models; check the base URL`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Some servers have no list; the key and the address are good all the same. */
function fromFailure(failure: ProviderFailure): Result<{ readonly models: readonly string[] }, ConnectionProblem> {
  return failure.status === 405 || failure.status === 501 ? ok({ models: [] }) : err(problem(failure));
}

function problem(failure: ProviderFailure): ConnectionProblem {
  return { kind: failure.kind, message: failure.message };
}

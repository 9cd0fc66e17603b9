// From a request to its stream, the same for every protocol: resolve images, clean the history, send, read, learn.
import type { Maker } from "#shared/chat/blocks.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { ModelEvent, ModelRequest, ProviderFailure } from "#electron/providers/contract.ts";
import { ABORTED } from "#electron/providers/failures/from-error.ts";
import { type Blobs, type ConversationOf, type SentMessage, blobRefs } from "./conversation.ts";
import type { Lessons } from "./lessons.ts";
import type { RefusedMedia } from "./refused-media.ts";
import type { Setup } from "./setup.ts";
import { type ReplyReader, failed, streamReply } from "./stream-reply.ts";

export type RequestStream = {
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly setup: Setup;
  readonly lessons: Lessons;
  readonly images: boolean;
  readonly maker: Maker;
  readonly reader: ReplyReader;
  readonly conversation: ConversationOf;
  readonly refused: RefusedMedia;
  /** Builds the body and sends it once. */
  readonly open: (conversation: readonly SentMessage[], signal: AbortSignal) => Promise<Response>;
};

/** Never throws. The last event is `stopped` or `failed`. */
export async function* requestStream(parts: RequestStream): AsyncGenerator<ModelEvent, void, void> {
  const { request, signal, setup } = parts;
  if (request.messages.at(-1)?.role !== "user") return yield failed(wrong("the request does not end with a message of the user (L25)"));
  const blobs = await blobsFor(request);
  if (signal.aborted) return yield failed(ABORTED);
  const conversation = parts.conversation(request.messages, {
    maker: parts.maker,
    blobs,
    refused: parts.refused.has,
    images: parts.images,
    withoutThinking: parts.lessons.has("no_thinking"),
  });
  if (conversation.at(-1)?.role !== "user") return yield failed(wrong("nothing is left to send: the last message is blank"));
  const exchange = {
    open: (inner: AbortSignal) => parts.open(conversation, inner),
    reader: parts.reader,
    clock: parts.clock,
    host: setup.endpoint.host,
    secrets: setup.secrets,
  };
  const refs = [...blobs.keys()];
  for await (const event of streamReply(exchange, signal)) {
    if (event.type === "stopped") parts.refused.taken(refs);
    if (event.type !== "failed") {
      yield event;
      continue;
    }
    const used = parts.reader.used?.();
    if (used !== undefined && !signal.aborted) yield { type: "usage", usage: used };
    yield failed(learned(event.failure, refs, parts));
  }
}

function learned(failure: ProviderFailure, refs: readonly string[], { lessons, refused }: RequestStream): ProviderFailure {
  const taught = lessons.learn(failure);
  return taught.learned === true ? taught : refused.learn(failure, refs);
}

/** A blob that cannot be read counts as gone; the request is sent without it. */
async function blobsFor(request: ModelRequest): Promise<Blobs> {
  const blobs = new Map<string, string>();
  for (const ref of blobRefs(request.messages)) {
    const data = await request.blob(ref).catch(() => undefined);
    if (data !== undefined && data !== "") blobs.set(ref, data);
  }
  return blobs;
}

function wrong(message: string): ProviderFailure {
  return { kind: "bad_request", retryable: false, message };
}

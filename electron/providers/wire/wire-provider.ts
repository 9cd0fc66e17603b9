// A provider over HTTP. Protocols differ in the body they send and in the reader of their stream; all else is the same.
import type { ProviderId } from "#shared/settings/settings.ts";
import type { Clock } from "#electron/lib/clock.ts";
import type { ModelRequest, Provider } from "#electron/providers/contract.ts";
import { describeModel } from "#electron/providers/models.ts";
import { createConversation, type SentMessage } from "./conversation.ts";
import { createLessons, type Lessons } from "./lessons.ts";
import { createRefusedMedia } from "./refused-media.ts";
import { requestStream } from "./request-stream.ts";
import type { Setup } from "./setup.ts";
import type { ReplyReader } from "./stream-reply.ts";

export type WireProtocol = {
  readonly id: ProviderId;
  reader(request: ModelRequest): ReplyReader;
  /** builds the body and sends it once; `lessons` is what this server refused before */
  open(request: ModelRequest, conversation: readonly SentMessage[], lessons: Lessons, signal: AbortSignal): Promise<Response>;
};

export function createWireProvider(protocol: WireProtocol, setup: Setup, clock: Clock): Provider {
  const { id } = protocol;
  const lessons = createLessons();
  const conversation = createConversation();
  const refused = createRefusedMedia();
  const describe = (model: string) => describeModel(id, model, setup.contextWindows);
  return {
    id,
    describe,
    stream: (request, signal) =>
      requestStream({
        request,
        signal,
        clock,
        setup,
        lessons,
        images: describe(request.model).images,
        maker: { provider: id, model: request.model },
        conversation,
        refused,
        reader: protocol.reader(request),
        open: (conversation, inner) => protocol.open(request, conversation, lessons, inner),
      }),
  };
}

// Random histories for property tests: valid ones as a loop makes them, and broken ones as a crash, an import or a bug may leave them.
import fc from "fast-check";
import { text, type Block, type ContentPart, type Message, type ToolResultBlock, type ToolUseBlock } from "#shared/chat/blocks.ts";
import { CallId } from "#shared/lib/ids.ts";

const MAKER = { provider: "anthropic", model: "m" } as const;
const words = fc.string({ minLength: 1, maxLength: 12 }).map((content) => `w${content}`);

type Step = {
  readonly say: string | undefined;
  readonly think: boolean;
  readonly calls: readonly { readonly name: string; readonly output: string; readonly isError: boolean; readonly image: boolean }[];
};

const call = fc.record({ name: fc.constantFrom("read", "bash", "edit"), output: words, isError: fc.boolean(), image: fc.boolean() });
const step: fc.Arbitrary<Step> = fc.record({ say: fc.option(words, { nil: undefined }), think: fc.boolean(), calls: fc.array(call, { maxLength: 4 }) });
const turn = fc.record({ prompt: words, steps: fc.array(step, { maxLength: 5 }), answer: words });

/** A history of whole turns, ending with a user message; calls are parallel, failing, with images, some replies only think. */
export const validHistory: fc.Arbitrary<readonly Message[]> = fc
  .tuple(fc.array(turn, { maxLength: 4 }), words)
  .map(([turns, last]) => [...build(turns), { role: "user", blocks: [text(last)] }]);

function build(turns: readonly { readonly prompt: string; readonly steps: readonly Step[]; readonly answer: string }[]): readonly Message[] {
  let n = 0;
  return turns.flatMap((each): Message[] => {
    const messages: Message[] = [{ role: "user", blocks: [text(each.prompt)] }];
    for (const { say, think, calls } of each.steps) {
      if (calls.length === 0) continue;
      const uses = calls.map((one): ToolUseBlock => {
        n += 1;
        return { type: "tool_use", id: CallId.parse(`c${n}`), name: one.name, input: { file_path: one.output } };
      });
      const thinking: Block[] = think ? [{ type: "thinking", text: "hm", signature: `sig${n}`, by: MAKER }] : [];
      messages.push({ role: "assistant", blocks: [...thinking, ...(say === undefined ? [] : [text(say)]), ...uses] });
      messages.push({ role: "user", blocks: uses.map((use, k) => resultOf(use, calls[k])) });
    }
    return [...messages, { role: "assistant", blocks: [text(each.answer)] }];
  });
}

function resultOf(use: ToolUseBlock, one: Step["calls"][number] | undefined): ToolResultBlock {
  const image: ContentPart[] = one?.image === true ? [{ type: "image", ref: "blob1", mediaType: "image/png" }] : [];
  return { type: "tool_result", id: use.id, content: [text(one?.output ?? "out"), ...image], isError: one?.isError ?? false };
}

const someId = fc.constantFrom("a", "b", "c", "d", "bash:0", "x y", "ü");
const anyContent = fc.array(
  fc.oneof(
    fc.constantFrom("", "  ", "ok", "\ud83d").map((content): ContentPart => ({ type: "text", text: content })),
    fc.constant<ContentPart>({ type: "image", ref: "r", mediaType: "image/png" }),
  ),
  { maxLength: 2 },
);
const anyBlock: fc.Arbitrary<Block> = fc.oneof(
  fc.constantFrom("", "\n", "words", "half \ud83d").map((content): Block => text(content)),
  someId.map((id): Block => ({ type: "tool_use", id: CallId.parse(id), name: id === "ü" ? "no such tool!" : "read", input: {} })),
  fc.tuple(someId, anyContent, fc.boolean()).map(([id, content, isError]): Block => ({ type: "tool_result", id: CallId.parse(id), content, isError })),
  fc.constant<Block>({ type: "thinking", text: "hm", signature: "s", by: MAKER }),
  fc.constant<Block>({ type: "opaque", by: MAKER, data: "x" }),
  fc.constant<Block>({ type: "image", ref: "r", mediaType: "image/png" }),
);

/** Anything that the types allow, however wrong. */
export const anyHistory: fc.Arbitrary<readonly Message[]> = fc.array(
  fc.record({ role: fc.constantFrom("user", "assistant"), blocks: fc.array(anyBlock, { maxLength: 5 }) }),
  { maxLength: 10 },
);

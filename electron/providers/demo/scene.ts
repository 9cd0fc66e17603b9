// What the demo sees when it is asked: the prompt, its language, and what its own calls since that prompt brought.
// All of it comes from the messages, so a resumed session goes on where it was.
import { type Block, type Message, contentText, plainText } from "#shared/chat/blocks.ts";
import { isNote } from "#shared/chat/note.ts";
import { isBlank } from "#shared/lib/text.ts";
import type { ModelRequest } from "#electron/providers/contract.ts";
import { isObject } from "#electron/providers/wire/call-input.ts";

export type Language = "en" | "zh";

/** One call the demo made, with its answer. `denied`: the person or a rule said no; `broke`: it failed for another reason. */
export type DoneCall = { readonly name: string; readonly target: string; readonly text: string; readonly ok: boolean; readonly denied: boolean };

export type Scene = {
  readonly prompt: string;
  /** prompts before this one, newest first */
  readonly earlier: readonly string[];
  readonly language: Language;
  readonly done: readonly DoneCall[];
  readonly tools: ReadonlySet<string>;
};

/** What the demo does next: words, then calls; no calls end the turn. */
export type DemoStep = { readonly say: string; readonly calls: readonly DemoCall[] };
export type DemoCall = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** What was really found out about a project, for the demo's answers and files. */
export type ProjectFacts = {
  readonly name: string;
  readonly about: string;
  readonly scripts: readonly string[];
  readonly read: readonly string[];
  readonly refused: readonly string[];
};

export type Product = { readonly name: string; readonly price: string };

export function sceneOf(request: Pick<ModelRequest, "messages" | "tools">): Scene {
  const prompts = request.messages.flatMap((message, at) => (promptOf(message) === undefined ? [] : [{ at, text: promptOf(message) ?? "" }]));
  const last = prompts.at(-1);
  const since = last === undefined ? request.messages : request.messages.slice(last.at);
  return {
    prompt: last?.text ?? "",
    earlier: prompts
      .slice(0, -1)
      .map((prompt) => prompt.text)
      .reverse(),
    language: /\p{Script=Han}/u.test(last?.text ?? "") ? "zh" : "en",
    done: doneCalls(since),
    tools: new Set(request.tools.map((tool) => tool.name)),
  };
}

export function say(text: string): DemoStep {
  return { say: text, calls: [] };
}

export function lastCall(scene: Scene, name: string, target?: string): DoneCall | undefined {
  return scene.done.findLast((call) => call.name === name && (target === undefined || call.target === target));
}

export function countOf(scene: Scene, name: string): number {
  return scene.done.filter((call) => call.name === name).length;
}

/** The person's own words in a message; what the harness adds is not theirs. */
function promptOf(message: Message): string | undefined {
  if (message.role !== "user") return undefined;
  const words = plainText(message.blocks.filter((block) => !isNote(block)));
  return isBlank(words) ? undefined : words;
}

function doneCalls(messages: readonly Message[]): readonly DoneCall[] {
  const blocks: readonly Block[] = messages.flatMap((message) => message.blocks);
  return blocks.flatMap((block): readonly DoneCall[] => {
    if (block.type !== "tool_use") return [];
    const answer = blocks.find((other) => other.type === "tool_result" && other.id === block.id);
    if (answer?.type !== "tool_result") return [];
    const text = contentText(answer.content);
    return [{ name: block.name, target: targetOf(block.input), text, ok: !answer.isError, denied: answer.isError && REFUSED.test(text) }];
  });
}

/** Words of our own refusals; they are for the model, so they are English whatever the person reads. */
const REFUSED = /denied|refus|declin|not allowed|did not allow|rejected|cancelled by|does not want/i;

function targetOf(input: unknown): string {
  if (!isObject(input)) return "";
  const target = input["file_path"] ?? input["path"] ?? input["command"] ?? input["pattern"];
  return typeof target === "string" ? target.replace(/^\.\//, "") : "";
}

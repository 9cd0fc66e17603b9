// Colours code in a thread of its own: grammars take their time, and nobody's typing waits for them (U3).
import { createHighlighterCore, type HighlighterCore } from "@shikijs/core";
import { createOnigurumaEngine } from "@shikijs/engine-oniguruma";
import { z } from "zod";
import { grammarOf } from "./grammars.ts";
import { HighlightAnswer, HighlightAsk, type Token, type Tone } from "./protocol.ts";

z.config({ jitless: true });
// Chromium 114 has none.
if (!Object.hasOwn(Response.prototype, "bytes")) {
  Object.defineProperty(Response.prototype, "bytes", {
    value: async function bytes(this: Response) {
      return new Uint8Array(await this.arrayBuffer());
    },
  });
}

/** Colours stand for tones: the window puts its own in their place, for light and dark. */
const TONES: Readonly<Record<string, Tone>> = {
  "#000001": "keyword",
  "#000002": "string",
  "#000003": "number",
  "#000004": "comment",
  "#000005": "function",
  "#000006": "constant",
  "#000007": "type",
  "#000008": "link",
  "#000009": "add",
  "#00000a": "del",
};
const SCOPES: readonly (readonly [readonly string[], string])[] = [
  [["keyword", "storage", "keyword.operator.expression", "punctuation.definition.heading.markdown", "markup.heading"], "#000001"],
  [["string", "markup.inline.raw", "string.regexp"], "#000002"],
  [["constant.numeric"], "#000003"],
  [["comment", "punctuation.definition.comment"], "#000004"],
  [["entity.name.function", "support.function", "entity.name.command"], "#000005"],
  [
    ["constant.language", "constant.character", "variable.other.constant", "support.constant", "entity.other.attribute-name", "support.type.property-name"],
    "#000006",
  ],
  [["entity.name.type", "entity.name.class", "support.type", "support.class", "entity.name.tag", "entity.other.inherited-class"], "#000007"],
  [["markup.underline.link", "string.other.link"], "#000008"],
  [["markup.inserted"], "#000009"],
  [["markup.deleted"], "#00000a"],
];
const THEME = {
  name: "tones",
  type: "light" as const,
  fg: "#000000",
  bg: "#ffffff",
  settings: [{ settings: { foreground: "#000000" } }, ...SCOPES.map(([scope, foreground]) => ({ scope: [...scope], settings: { foreground } }))],
};

let made: Promise<HighlighterCore> | undefined;
const loaded = new Map<string, Promise<void>>();

async function highlighter(): Promise<HighlighterCore> {
  made ??= createHighlighterCore({ themes: [THEME], langs: [], engine: createOnigurumaEngine(import("@shikijs/engine-oniguruma/wasm-inlined")) });
  return made;
}

async function load(core: HighlighterCore, language: string): Promise<void> {
  const grammar = await grammarOf(language);
  if (grammar === undefined) throw new Error(`no grammar for ${language}`);
  await core.loadLanguage(...z.array(z.custom<Parameters<HighlighterCore["loadLanguage"]>[0]>()).parse(grammar.default));
}

async function colour(code: string, language: string): Promise<Token[][]> {
  const core = await highlighter();
  const loading = loaded.get(language) ?? load(core, language);
  loaded.set(language, loading);
  await loading;
  const { tokens } = core.codeToTokens(code, { lang: language, theme: "tones" });
  return tokens.map((line) =>
    line.map(({ content, color }): Token => {
      const tone = TONES[(color ?? "").toLowerCase()];
      return tone === undefined ? [content] : [content, tone];
    }),
  );
}

addEventListener("message", (event: MessageEvent<unknown>) => {
  const asked = HighlightAsk.safeParse(event.data);
  if (!asked.success) return;
  const { id, code, language } = asked.data;
  const answer = (lines: Token[][] | null) => postMessage(HighlightAnswer.parse({ id, lines }));
  colour(code, language).then(answer, () => answer(null));
});

import { describe, expect, it } from "vitest";
import css from "./theme.css?raw";

/** Chromium 114 mixes shadows of variables in the wrong colour: what moves is transform, opacity and place alone. */
it("no animation touches a shadow", () => {
  const frames = [...css.matchAll(/@keyframes [\w-]+ \{[\s\S]*?\n\}/g)].map(([block]) => block);
  expect(frames.length).toBeGreaterThan(1);
  expect(frames.filter((block) => block.includes("shadow"))).toEqual([]);
});

type Rgb = readonly [number, number, number];

/** Tokens of one theme by name, as linear light. */
function tokens(selector: string): ReadonlyMap<string, Rgb> {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf("\n}", start));
  return new Map(
    [...block.matchAll(/--([\w-]+): oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\);/g)].map((match) => [
      match[1] ?? "",
      linear(Number(match[2]) / 100, Number(match[3]), Number(match[4])),
    ]),
  );
}

function linear(lightness: number, chroma: number, hue: number): Rgb {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function contrast(one: Rgb | undefined, other: Rgb | undefined): number {
  const luminance = ([r, g, b]: Rgb) => 0.2126 * clamp(r) + 0.7152 * clamp(g) + 0.0722 * clamp(b);
  if (one === undefined || other === undefined) return 0;
  const [high, low] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

const clamp = (value: number) => Math.max(0, Math.min(1, value));

const TEXT_PAIRS: readonly (readonly [text: string, grounds: readonly string[]])[] = [
  ["ink", ["paper", "panel", "raised", "sunken", "you-soft", "ask-soft", "bad-soft", "agent-soft", "add", "del"]],
  ["ink-2", ["paper", "panel", "raised", "sunken", "ask-soft", "bad-soft", "you-soft", "add", "del"]],
  ["ink-3", ["paper", "panel", "raised", "sunken"]],
  ...["keyword", "string", "number", "comment", "function", "constant", "type", "link", "add", "del"].map((tone) => [`code-${tone}`, ["raised"]] as const),
  ["agent", ["paper", "raised", "agent-soft", "sunken"]],
  ["you", ["paper", "raised", "you-soft"]],
  ["ask-ink", ["paper", "panel", "raised", "ask-soft"]],
  ["bad", ["paper", "panel", "raised", "bad-soft", "ask-soft"]],
  ["ok", ["paper", "raised"]],
  ["add-ink", ["paper", "raised", "add"]],
  ["del-ink", ["paper", "raised", "del"]],
  ["term-ink", ["term"]],
  ["term-dim", ["term"]],
  ["on-primary", ["primary"]],
];
const AA_TEXT = 4.5;
const AA_SHAPE = 3;

describe.each([":root", '[data-theme="dark"]'])("contrast in %s", (selector) => {
  const theme = tokens(selector);

  it.each(TEXT_PAIRS.flatMap(([text, grounds]) => grounds.map((ground) => [text, ground] as const)))("%s on %s can be read", (text, ground) => {
    expect(contrast(theme.get(text), theme.get(ground))).toBeGreaterThanOrEqual(AA_TEXT);
  });

  it.each(["agent-stone", "you", "stone", "bad"])("the stone or dot %s can be told from the paper", (name) => {
    expect(contrast(theme.get(name), theme.get("paper"))).toBeGreaterThanOrEqual(AA_SHAPE);
  });
});

// Coloured lines of a finished block of code, when they are there (U3). Until then, and for what is too long, the plain text stands.
import { useEffect, useState } from "react";
import { languageOf } from "./languages.ts";
import { HighlightAnswer, type Token } from "./protocol.ts";

/** Longer code is read, not looked at. */
const MOST_CHARS = 60_000;
const KEPT = 200;

type Lines = readonly (readonly Token[])[];
type Waiting = (lines: Lines | undefined) => void;

let worker: Worker | undefined;
let count = 0;
const waiting = new Map<number, Waiting>();
/** By language and code: scrolling back colours nothing twice. */
const kept = new Map<string, Lines>();

function ask(code: string, language: string, answer: Waiting): () => void {
  worker ??= begin();
  count += 1;
  const id = count;
  waiting.set(id, answer);
  worker.postMessage({ id, code, language });
  return () => void waiting.delete(id);
}

function begin(): Worker {
  const made = new Worker(new URL("./highlight.worker.ts", import.meta.url), { type: "module" });
  made.addEventListener("message", (event: MessageEvent<unknown>) => {
    const parsed = HighlightAnswer.safeParse(event.data);
    if (!parsed.success) return;
    waiting.get(parsed.data.id)?.(parsed.data.lines ?? undefined);
    waiting.delete(parsed.data.id);
  });
  return made;
}

function keep(key: string, lines: Lines): void {
  kept.set(key, lines);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
}

/** `growing`: it is still being written, so its colours would change with every word. */
export function useHighlight(code: string, name: string, growing: boolean): Lines | undefined {
  const language = growing || code.length > MOST_CHARS || typeof Worker === "undefined" ? undefined : languageOf(name);
  const key = language === undefined ? "" : `${language}\n${code}`;
  const [found, setFound] = useState<{ readonly key: string; readonly lines: Lines }>();
  useEffect(() => {
    if (language === undefined || kept.has(key)) return undefined;
    return ask(code, language, (lines) => {
      if (lines === undefined) return;
      keep(key, lines);
      setFound({ key, lines });
    });
  }, [code, language, key]);
  return key === "" ? undefined : (kept.get(key) ?? (found?.key === key ? found.lines : undefined));
}

// "Explain this project": read what describes it, then tell it in a few lines, from what was really read.
import { EXPLAIN } from "./explain.text.ts";
import { type DemoCall, type DemoStep, type ProjectFacts, type Scene, lastCall, say } from "./scene.ts";

const INTERESTING = ["README.md", "package.json", "pyproject.toml", "Cargo.toml", "go.mod", "src/price.js", "src/report.js"];
const MAX_READS = 4;

export function explainStep(scene: Scene): DemoStep {
  const texts = EXPLAIN[scene.language];
  const listed = lastCall(scene, "ls");
  if (listed === undefined) return { say: texts.lookAround, calls: lookAround(scene) };
  if (!listed.ok) return say(listed.denied ? texts.denied : texts.cannotList);
  const reads = scene.done.filter((call) => call.name === "read");
  if (reads.length === 0) {
    const calls = filesToRead(scene, listed.text);
    return calls.length === 0 ? say(texts.nothingToRead(namesIn(listed.text))) : { say: texts.reading, calls };
  }
  return say(texts.answer(factsOf(scene)));
}

function lookAround(scene: Scene): readonly DemoCall[] {
  const files: readonly DemoCall[] = scene.tools.has("glob") ? [{ name: "glob", input: { pattern: "**/*.{js,ts,py,go,rs,json,md}" } }] : [];
  return [{ name: "ls", input: { path: "." } }, ...files];
}

function filesToRead(scene: Scene, listing: string): readonly DemoCall[] {
  const found = `${listing}\n${lastCall(scene, "glob")?.text ?? ""}`;
  return INTERESTING.filter((file) => found.includes(file))
    .slice(0, MAX_READS)
    .map((file) => ({ name: "read", input: { file_path: file } }));
}

/** Facts that are in the text of the results, whatever marks the tool puts around the lines. */
export function factsOf(scene: Scene): ProjectFacts {
  const reads = scene.done.filter((call) => call.name === "read");
  const textOf = (file: string) => reads.find((call) => call.target === file && call.ok)?.text ?? "";
  const manifest = textOf("package.json");
  const scripts = firstMatch(/"scripts"\s*:\s*\{([^}]*)\}/, manifest);
  return {
    name: firstMatch(/"name"\s*:\s*"([^"]+)"/, manifest) || firstMatch(/#\s+([^\n]+)/, textOf("README.md")),
    about: firstMatch(/"description"\s*:\s*"([^"]+)"/, manifest),
    scripts: [...scripts.matchAll(/"([\w:-]+)"\s*:/g)].flatMap((match) => match[1] ?? []),
    read: reads.filter((call) => call.ok).map((call) => call.target),
    refused: reads.filter((call) => !call.ok).map((call) => call.target),
  };
}

function firstMatch(pattern: RegExp, text: string): string {
  return pattern.exec(text)?.[1] ?? "";
}

/** Plain names in a listing, for a folder without anything to read. */
function namesIn(listing: string): readonly string[] {
  return [...listing.matchAll(/[\w.-]+\/?/g)]
    .map((match) => match[0])
    .filter((name) => /[a-z]/i.test(name))
    .slice(0, 12);
}

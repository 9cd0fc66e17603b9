// "Write a notes file": read what there is, write one new file, never over an old one.
import { factsOf } from "./explain.ts";
import { NOTES } from "./notes.text.ts";
import { type DemoStep, type Scene, lastCall, say } from "./scene.ts";

const NAMES = ["NOTES.md", "SUMMARY.md", "PROJECT-NOTES.md"];

export function notesStep(scene: Scene): DemoStep {
  const texts = NOTES[scene.language];
  const listed = lastCall(scene, "ls");
  if (listed === undefined) return { say: texts.lookAround, calls: [{ name: "ls", input: { path: "." } }] };
  const known = ["README.md", "package.json"].filter((file) => listed.text.includes(file));
  if (known.length > 0 && lastCall(scene, "read") === undefined)
    return { say: texts.reading, calls: known.map((file) => ({ name: "read", input: { file_path: file } })) };
  const written = lastCall(scene, "write");
  if (written === undefined) return writeNotes(scene, listed.text);
  if (written.denied) return say(texts.denied(written.target, texts.notes(factsOf(scene))));
  return say(written.ok ? texts.done(written.target) : texts.failed(written.target));
}

function writeNotes(scene: Scene, listing: string): DemoStep {
  const texts = NOTES[scene.language];
  const wanted = /readme/i.test(scene.prompt) ? ["README.md", ...NAMES] : /summary|总结|摘要/i.test(scene.prompt) ? ["SUMMARY.md", ...NAMES] : NAMES;
  const name = wanted.find((candidate) => !listing.includes(candidate));
  if (name === undefined) return say(texts.noFreeName);
  return { say: texts.writing(name), calls: [{ name: "write", input: { file_path: name, content: texts.notes(factsOf(scene)) } }] };
}

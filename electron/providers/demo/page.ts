// "Make a small web page": one self-contained HTML file, with the shop's products when they are there.
import { PAGE } from "./page.text.ts";
import { type DemoStep, type Product, type Scene, lastCall, say } from "./scene.ts";

const DATA = "data/products.json";
const NAMES = ["shop.html", "page.html", "hello.html"];

export function pageStep(scene: Scene): DemoStep {
  const texts = PAGE[scene.language];
  const listed = lastCall(scene, "ls");
  if (listed === undefined) return { say: texts.lookAround, calls: [{ name: "ls", input: { path: "." } }] };
  if (/\bdata\b/.test(listed.text) && lastCall(scene, "read") === undefined)
    return { say: texts.reading, calls: [{ name: "read", input: { file_path: DATA } }] };
  const written = lastCall(scene, "write");
  const products = productsOf(lastCall(scene, "read", DATA)?.text ?? "");
  if (written === undefined) return writePage(scene, listed.text, products);
  if (written.denied) return say(texts.denied(written.target));
  return say(written.ok ? texts.done(written.target, products.length) : texts.failed(written.target));
}

function writePage(scene: Scene, listing: string, products: readonly Product[]): DemoStep {
  const texts = PAGE[scene.language];
  const name = NAMES.find((candidate) => !listing.includes(candidate));
  if (name === undefined) return say(texts.noFreeName);
  return { say: texts.writing(name), calls: [{ name: "write", input: { file_path: name, content: texts.page(products) } }] };
}

/** Products in the text of a result, whatever line numbers the tool put in front. */
export function productsOf(text: string): readonly Product[] {
  return [...text.matchAll(/"name"\s*:\s*"([^"<>&]+)"\s*,\s*"cents"\s*:\s*(\d+)/g)].map((match) => ({
    name: match[1] ?? "",
    price: `${(Number(match[2]) / 100).toFixed(2)} €`,
  }));
}

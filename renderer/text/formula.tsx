// A formula as MathML, which the engine of the window draws and a screen reader reads. Loaded only when there is one.
import katex from "katex";
import { createElement, type ReactNode } from "react";

type FormulaProps = { readonly tex: string; readonly display: boolean };

// What a formula may be made of: nothing that loads, links, styles or acts (R1).
const ELEMENTS = new Set(
  "math mrow mi mn mo mtext mspace ms msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd mstyle mpadded mphantom menclose".split(" "),
);
const ATTRIBUTES = new Set(
  (
    "display mathvariant stretchy fence separator lspace rspace minsize maxsize accent accentunder linethickness columnalign rowspacing columnspacing " +
    "width height depth voffset mathcolor mathbackground displaystyle scriptlevel movablelimits symmetric notation columnlines rowlines"
  ).split(" "),
);

/** Bounds against formulas that never end: macro expansions, and em of any size. */
const MAX_EXPAND = 500;
const MAX_EM = 30;
const MAX_CHARS = 10_000;

export function Formula({ tex, display }: FormulaProps) {
  const drawn = mathOf(tex, display);
  if (drawn === undefined) return <code>{tex}</code>;
  return display ? (
    <span className="block overflow-x-auto py-1" title={tex} data-formula>
      {drawn}
    </span>
  ) : (
    <span title={tex} data-formula>
      {drawn}
    </span>
  );
}

/** undefined: not a formula that can be read. */
function mathOf(tex: string, display: boolean): ReactNode | undefined {
  if (tex.length > MAX_CHARS) return undefined;
  try {
    const options = {
      displayMode: display,
      output: "mathml",
      throwOnError: true,
      trust: false,
      strict: "ignore",
      maxExpand: MAX_EXPAND,
      maxSize: MAX_EM,
    } as const;
    const parsed = new DOMParser().parseFromString(katex.renderToString(tex, options), "application/xml");
    const math = parsed.querySelector("math");
    return math === null ? undefined : asReact(math, 0);
  } catch {
    return undefined;
  }
}

function asReact(node: Node, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element)) return null;
  const children = [...node.childNodes].map(asReact);
  // Of `semantics` only what is drawn: its annotation is the source once more.
  if (node.localName === "semantics") return children[0] ?? null;
  if (!ELEMENTS.has(node.localName)) return null;
  const given = [...node.attributes].filter(({ name }) => ATTRIBUTES.has(name)).map(({ name, value }) => [name, value]);
  return createElement(node.localName, { key, ...Object.fromEntries(given) }, ...children);
}

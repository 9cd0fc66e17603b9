// Markdown of the model, of tools and of files: it can show, never act (R1, G03). No HTML, no images from the network,
// no address that the page itself could follow; links go through the main process after a check.
import { isValidElement, memo, type ReactNode } from "react";
import ReactMarkdown, { type Components, type Options } from "react-markdown";
import remarkGfm from "remark-gfm";
import remarkMath from "remark-math";
import { CodeBlock, readFence } from "./code-block.tsx";
import { Maths } from "./maths.tsx";
import { markMaths } from "./maths-marks.ts";
import { useOpenLink } from "./open-link.tsx";
import { FolderImage, picturePath } from "./text-picture.tsx";

const LINK_SCHEMES = ["https:", "http:", "mailto:"];
const PLUGINS: Options["remarkPlugins"] = [remarkGfm, [remarkMath, { singleDollarTextMath: false }]];

/** One top-level block, parsed when it is shown and not again while it stays the same. */
export const MarkdownBlock = memo(function MarkdownBlock({ text, growing = false }: { readonly text: string; readonly growing?: boolean }) {
  const fence = readFence(text);
  if (fence?.language === "math" && !growing) return <Maths tex={fence.code.trim()} display />;
  if (fence !== undefined) return <CodeBlock code={fence.code} language={fence.language} growing={growing} />;
  return (
    <div className="prose-cairn selectable">
      <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={addressFor}>
        {markMaths(text)}
      </ReactMarkdown>
    </div>
  );
});

/** The address if it is one that may be opened outside, else nothing. */
export function safeUrl(url: string): string {
  try {
    return LINK_SCHEMES.includes(new URL(url).protocol) ? url : "";
  } catch {
    return "";
  }
}

/** Of a picture also what may be a file of the folder. */
function addressFor(url: string, key: string): string {
  return key === "src" && picturePath(url) !== undefined ? url : safeUrl(url);
}

/** What a link really points to, as it is shown before one clicks: look-alike names in their plain ASCII form. */
export function linkTarget(url: string): string {
  const parsed = new URL(url);
  return parsed.protocol === "mailto:" ? url : `${parsed.protocol}//${parsed.host}${parsed.pathname === "/" ? "" : parsed.pathname}`;
}

function Link({ href, children }: { readonly href?: string | undefined; readonly children?: ReactNode }) {
  const open = useOpenLink();
  if (href === undefined || safeUrl(href) === "") return <span>{children}</span>;
  // What is opened is what was shown: the address as the URL parser reads it.
  const { href: target } = new URL(href);
  // No href: nothing that middle click, drag or a context menu could follow on its own.
  return (
    <span
      role="link"
      tabIndex={0}
      className="prose-link"
      title={linkTarget(href)}
      onClick={() => open(target)}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !event.repeat) open(target);
      }}
    >
      {children}
    </span>
  );
}

// A picture from somewhere would tell that somewhere that it was looked at: its words and a link instead. One of the folder is drawn.
function Image({ src, alt }: { readonly src: string; readonly alt: string }) {
  const path = picturePath(src);
  return path === undefined ? <Link href={src}>{alt === "" ? src : alt}</Link> : <FolderImage path={path} alt={alt} />;
}

function Fenced({ children }: { readonly children?: ReactNode }) {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(children)) return <pre>{children}</pre>;
  const { className = "", children: code } = children.props;
  if (className.includes("math-display")) return <Maths tex={typeof code === "string" ? code.trim() : ""} display />;
  return <CodeBlock code={typeof code === "string" ? code : ""} language={/language-(\S+)/.exec(className)?.[1] ?? ""} />;
}

const COMPONENTS: Components = {
  a: ({ href, children }) => <Link href={href}>{children}</Link>,
  img: ({ src, alt }) => <Image src={typeof src === "string" ? src : ""} alt={alt ?? ""} />,
  code: ({ className, children }) =>
    className?.includes("math-inline") === true && typeof children === "string" ? (
      <Maths tex={children} display={false} />
    ) : (
      <code className={className}>{children}</code>
    ),
  pre: ({ children }) => <Fenced>{children}</Fenced>,
  table: ({ children }) => (
    <div className="overflow-x-auto">
      <table>{children}</table>
    </div>
  ),
};

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { State } from "./entry.ts";
import { mergeBytes, mergeStates } from "./merge.ts";

const MAX = 1_000_000;
const bytes = (text: string) => Buffer.from(text);
const merged = (base: string, ours: string, theirs: string) => {
  const result = mergeBytes({ base: bytes(base), ours: bytes(ours), theirs: bytes(theirs) }, MAX);
  return result.kind === "clean" ? Buffer.from(result.bytes).toString() : result.kind;
};

describe("merging texts", () => {
  it("takes both changes where they are apart", () =>
    expect(merged("1\n2\n3\n4\n5\n", "one\n2\n3\n4\n5\n", "1\n2\n3\n4\nfive\n")).toBe("one\n2\n3\n4\nfive\n"));
  it("is a conflict where they meet", () => expect(merged("1\n2\n3\n", "1\na\n3\n", "1\nb\n3\n")).toBe("conflict"));
  it("is clean where both did the same", () => expect(merged("1\n2\n3\n", "1\na\n3\n", "1\na\n3\n")).toBe("1\na\n3\n"));
  it("keeps line ends and a missing last one", () => expect(merged("1\r\n2\r\n3", "one\r\n2\r\n3", "1\r\n2\r\nthree")).toBe("one\r\n2\r\nthree"));
  it("keeps bytes that are no UTF-8", () => {
    const latin = (text: string) => Buffer.from(text, "latin1");
    const result = mergeBytes({ base: latin("\xe4\nb\nc\n"), ours: latin("\xe4\xf6\nb\nc\n"), theirs: latin("\xe4\nb\n\xfc\n") }, MAX);
    expect(result.kind === "clean" && Buffer.from(result.bytes).equals(latin("\xe4\xf6\nb\n\xfc\n"))).toBe(true);
  });
  it("never guesses in binary or huge files, or where equal lines would make it endless", () => {
    expect(merged("a\0b", "a\0c", "a\0b")).toBe("conflict");
    expect(mergeBytes({ base: bytes("a"), ours: bytes("b"), theirs: bytes("c") }, 0).kind).toBe("conflict");
    const same = "x\n".repeat(5000);
    expect(merged(same, `a\n${same}`, `${same}b\n`)).toBe("conflict");
  });
  it("with one side unchanged is the other side", () => {
    const text = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "\n"), { maxLength: 12 }).map((lines) => lines.join(""));
    fc.assert(
      fc.property(text, text, (base, other) => {
        expect(merged(base, base, other)).toBe(other);
      }),
    );
    fc.assert(
      fc.property(text, text, (base, other) => {
        expect(merged(base, other, base)).toBe(other);
      }),
    );
  });
});

describe("merging what stands at a path", () => {
  const contents = new Map<string, Uint8Array>();
  const powers = {
    read: (hash: string) => contents.get(hash) ?? new Uint8Array(),
    keep: (content: Uint8Array) => {
      contents.set(Buffer.from(content).toString(), content);
      return Buffer.from(content).toString();
    },
    maxBytes: MAX,
  };
  const file = (text: string, mode = 0o644): State => ({ kind: "file", mode, hash: powers.keep(bytes(text)), size: text.length });
  const link = (target: string): State => ({ kind: "link", target });
  for (const [what, base, ours, theirs, expected] of [
    ["one side unchanged", file("a"), file("a"), file("b"), file("b")],
    ["both the same", file("a"), file("b"), file("b"), file("b")],
    ["content here, mode there", file("a"), file("b"), file("a", 0o755), file("b", 0o755)],
    ["mode here, content there", file("a"), file("a", 0o755), file("b"), file("b", 0o755)],
    ["content on both sides, mode on one", file("1\n2\n3\n"), file("a\n2\n3\n"), file("1\n2\nc\n", 0o755), file("a\n2\nc\n", 0o755)],
    ["deleted here, unchanged there", file("a"), undefined, file("a"), undefined],
    ["deleted here, changed there", file("a"), undefined, file("b"), "conflict"],
    ["made on both sides", undefined, file("a"), file("b"), "conflict"],
    ["a link on both sides", link("a"), link("b"), link("c"), "conflict"],
    ["a link that became a file", link("a"), file("a"), link("a"), file("a")],
  ] as const) {
    it(what, () =>
      expect(mergeStates({ base, ours, theirs }, powers)).toEqual(expected === "conflict" ? { kind: "conflict" } : { kind: "clean", state: expected }),
    );
  }
});

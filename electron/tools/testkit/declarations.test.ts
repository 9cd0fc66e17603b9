import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Tool, ToolSpec } from "#electron/tools/contract.ts";
import { cacheOrderFaults, declarationFaults } from "./declarations.ts";
import { defineTool } from "#electron/tools/define.ts";

const input = z.strictObject({ path: z.string() });
const example = { input: { path: "a" }, place: { cwd: "/ws", home: "/h" } };

function spec(parts: Partial<ToolSpec<typeof input>> = {}): ToolSpec<typeof input> {
  return {
    name: "probe",
    schemaVersion: 1,
    input,
    text: { summary: "Probes a path. Use it to see." },
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    isDestructive: () => false,
    effects: () => [{ kind: "reads", target: "/ws/a" }],
    conflictKeys: () => [],
    call: async () => ({ ok: true, forModel: [] }),
    ...parts,
  };
}
const faults = (...tools: readonly Tool[]) => declarationFaults(tools, Object.fromEntries(tools.map((tool) => [tool.name, example])));
const writes = { isReadOnly: () => false, isConcurrencySafe: () => false, effects: () => [{ kind: "writes", target: "/ws/a" }] as const };

describe("declarationFaults", () => {
  it("finds nothing wrong with a well declared tool", () => {
    expect(faults(defineTool(spec()))).toEqual([]);
  });

  it("names every declaration that is missing and what to say instead", () => {
    const bare = defineTool({
      name: "probe",
      schemaVersion: 1,
      input,
      text: { summary: "Probes." },
      askCard: async () => ({ verb: "use_tool", subject: "a", detail: { kind: "path", path: "a" } }),
      call: async () => ({ ok: true, forModel: [] }),
    });
    expect(faults(bare)).toEqual([
      expect.stringMatching(/^probe: effects is not declared/),
      expect.stringMatching(/^probe: isReadOnly is not declared/),
      expect.stringMatching(/^probe: isConcurrencySafe is not declared/),
      expect.stringMatching(/^probe: isDestructive is not declared/),
      expect.stringMatching(/^probe: conflictKeys is not declared/),
    ]);
  });

  it.each<[string, Partial<ToolSpec<typeof input>>, RegExp]>([
    ["a name in camel case", { name: "readFile" }, /snake_case/],
    ["an MCP name", { name: "mcp__x" }, /belong to MCP servers/],
    ["a deferred basic tool", { name: "read", exposure: "deferred" }, /never deferred/],
    ["no schema version", { schemaVersion: 0 }, /schemaVersion/],
    ["an empty summary", { text: { summary: " " } }, /1 to 3 sentences/],
    ["too many sentences", { text: { summary: "A. B. C. D." } }, /it has 4/],
    ["a long summary", { text: { summary: "a".repeat(301) } }, /301 characters/],
    ["a date in the text", { text: { summary: "As of 2026-01-01." } }, /cache/],
    ["a folder of this machine in the guide", { text: { summary: "A.", guide: "In /home/me/x." } }, /cache/],
    ["read-only with a write", { ...writes, isReadOnly: () => true, conflictKeys: () => ["k"] }, /isReadOnly says true but/],
    ["concurrent with a write", { ...writes, isConcurrencySafe: () => true, conflictKeys: () => ["k"] }, /isConcurrencySafe says true but/],
    ["a write without keys", writes, /no conflictKeys/],
    ["a write without a card", { ...writes, conflictKeys: () => ["k"] }, /no askCard/],
    ["the network without a card", { effects: () => [{ kind: "network", target: "a.b" }] }, /no askCard/],
    ["destructive reads", { isDestructive: () => true }, /both true/],
    ["reproducible writes", { ...writes, conflictKeys: () => ["k"], reproducible: true }, /reproducible/],
    ["compare-and-swap without a write", { idempotency: "compare_and_swap" }, /effects name no write/],
    ["a change that nobody would see", { ...writes, conflictKeys: () => ["k"], display: "hidden" }, /hidden but it changes files/],
    ["a fetch that nobody would see", { effects: () => [{ kind: "network", target: "a.b" }], display: "hidden" }, /hidden but/],
    ["rules that cannot match", { suggestRules: () => ["probe(a)"] }, /permissionTarget and suggestRules/],
  ])("reports %s", (_, parts, sentence) => {
    expect(faults(defineTool(spec(parts))).some((fault) => sentence.test(fault))).toBe(true);
  });

  it("reports inputs that let unknown fields through", () => {
    const loose = defineTool({ ...spec(), input: z.object({ path: z.string() }), name: "loose" } as const);
    const union = defineTool({
      ...spec(),
      input: z.union([z.strictObject({ path: z.string() }), z.strictObject({ path: z.string(), b: z.string() })]),
      name: "either",
    } as const);
    const inside = defineTool({
      ...spec(),
      input: z.strictObject({ path: z.string(), list: z.array(z.object({ a: z.string() })).optional() }),
      name: "inside",
    } as const);
    expect(faults(loose, union, inside)).toEqual([
      expect.stringMatching(/^loose: .*z\.strictObject/),
      expect.stringMatching(/^either: .*union at the top/),
      expect.stringMatching(/^inside: the object at \/properties\/list\/items/),
    ]);
  });

  it("reports names that two tools share, and prefixes that lead a model astray", () => {
    const tools = [
      defineTool(spec({ name: "notes_read", aliases: ["Peek"] })),
      defineTool(spec({ name: "peek" })),
      defineTool(spec({ name: "note_edit", exposure: "deferred" })),
    ];
    expect(faults(...tools)).toEqual([
      expect.stringMatching(/^peek: .*"peek" is taken by notes_read/),
      expect.stringMatching(/^note_edit: it is deferred and begins like notes_read/),
    ]);
  });

  it("asks for an example, and says when it does not parse", () => {
    expect(declarationFaults([defineTool(spec())], {})).toEqual([expect.stringMatching(/one example input/)]);
    expect(declarationFaults([defineTool(spec())], { probe: { ...example, input: {} } })).toEqual([expect.stringMatching(/does not parse: - "path"/)]);
  });
});

describe("cacheOrderFaults", () => {
  const tool = (name: string, summary = "Reads.") => defineTool(spec({ name, text: { summary } }));
  it("asks for a place at the end for a new tool, and says which definition changes", () => {
    expect(cacheOrderFaults([tool("read"), tool("bash")], [tool("bash"), tool("read")])).toEqual([]);
    expect(cacheOrderFaults([tool("brand_new"), tool("read", "Build 1.")], [tool("brand_new"), tool("read", "Build 2.")])).toEqual([
      expect.stringMatching(/^brand_new: it has no place in BUILTIN_ORDER; append/),
      expect.stringMatching(/^read: two builds give different definitions/),
    ]);
  });
});

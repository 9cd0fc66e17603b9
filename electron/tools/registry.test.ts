import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Tool } from "./contract.ts";
import { BUILTIN_ORDER } from "./builtin-order.ts";
import { defineTool } from "./define.ts";
import { createRegistry } from "./registry.ts";

function named(name: string, aliases: readonly string[] = []): Tool {
  return defineTool({
    name,
    aliases,
    schemaVersion: 1,
    input: z.strictObject({}),
    text: { summary: "Probes." },
    call: async () => ({ ok: true, forModel: [] }),
  });
}
const names = (tools: readonly Tool[]) => tools.map((tool) => tool.name);

describe("sending order", () => {
  it("puts built-ins at their fixed places and MCP tools after them by name, however they come in", () => {
    const tools = [named("mcp__z__b"), named("grep"), named("own_late"), named("mcp__a__x"), named("read"), named("own_early"), named("bash")];
    expect(names(createRegistry(tools).tools)).toEqual(["read", "grep", "bash", "own_late", "own_early", "mcp__a__x", "mcp__z__b"]);
  });

  it("is the same for every arrival order of the built-ins", () => {
    const tools = BUILTIN_ORDER.map((name) => named(name));
    expect(names(createRegistry([...tools].reverse()).tools)).toEqual([...BUILTIN_ORDER]);
  });
});

describe("find", () => {
  const registry = createRegistry([named("read", ["read_file", "cat"]), named("write"), named("list", ["write"])], {});

  it.each([
    ["read", "read"],
    ["READ", "read"],
    [" Read ", "read"],
    ["Read_File", "read"],
    ["cat", "read"],
  ])("finds %j as %s", (asked, found) => {
    expect(registry.find(asked)?.name).toBe(found);
  });

  it("never lets an alias hide a real tool", () => {
    expect(registry.find("write")?.name).toBe("write");
  });

  it.each(["", "reed", "__proto__", "constructor"])("answers undefined for %j", (asked) => {
    expect(registry.find(asked)).toBeUndefined();
  });

  it("neither sends nor finds what is switched off, by name in any case", () => {
    const less = createRegistry([named("read", ["cat"]), named("write")], { disabled: ["READ"] });
    expect([names(less.tools), less.find("read"), less.find("cat")]).toEqual([["write"], undefined, undefined]);
  });
});

describe("near", () => {
  const registry = createRegistry(
    ["read", "write", "edit", "grep", "glob", "bash", "bash_output", "todo_write"].map((name) => named(name, name === "read" ? ["read_file"] : [])),
  );

  it.each([
    ["raed", ["read"]],
    ["read_files", ["read"]],
    ["bash_outptu", ["bash_output", "bash"]],
    ["write_todo", ["write"]],
    ["gerp", ["grep"]],
    ["quantum", []],
    ["", []],
  ])("suggests for %j", (asked, expected) => {
    expect(registry.near(asked)).toEqual(expected);
  });

  it("names each tool once and at most three", () => {
    expect(registry.near("x".repeat(5000))).toEqual([]);
    expect(new Set(registry.near("bash")).size).toBe(registry.near("bash").length);
  });
});

import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Tool, ToolSpec } from "./contract.ts";
import { changesFiles, classify, UNSAFE_TRAITS } from "./classify.ts";
import { defineTool, WHOLE_WORKSPACE_KEY } from "./define.ts";

const input = z.strictObject({ path: z.string() });
const place = { cwd: "/ws", home: "/home/u" };

function tool(parts: Partial<ToolSpec<typeof input>>): Tool {
  return defineTool({ name: "probe", schemaVersion: 1, input, text: { summary: "Probes." }, call: async () => ({ ok: true, forModel: [] }), ...parts });
}

describe("a tool that declares nothing", () => {
  it("gets every answer on the safe side", () => {
    expect(classify(tool({}), { path: "a" }, place, undefined)).toEqual(UNSAFE_TRAITS);
  });

  it("has no opinion on permission, passes its input on and can be cancelled", async () => {
    const bare = tool({});
    expect(await bare.checkPermission({}, place, undefined)).toEqual({ behavior: "pass" });
    expect(bare.observable({ path: "a" }, place)).toEqual({ path: "a" });
    expect([bare.exposure, bare.display, bare.interrupt, bare.idempotency]).toEqual(["always", "full", "cancel", "none"]);
  });
});

describe("classify", () => {
  it("answers with what the tool declares", () => {
    const reads = tool({
      reproducible: true,
      isReadOnly: () => true,
      isConcurrencySafe: () => true,
      isDestructive: () => false,
      effects: (given) => [{ kind: "reads", target: given.path }],
      conflictKeys: () => ["b", "a", "b"],
    });
    expect(classify(reads, { path: "/ws/a" }, place, undefined)).toEqual({
      readOnly: true,
      concurrencySafe: true,
      destructive: false,
      mayWrite: false,
      reproducible: true,
      effects: [{ kind: "reads", target: "/ws/a" }],
      conflictKeys: ["a", "b"],
    });
  });

  it.each(["writes", "deletes", "runs", "git_index", "workspace_global"] as const)("does not believe 'read only' beside the effect %s", (kind) => {
    const effect = kind === "writes" || kind === "deletes" ? { kind, target: "/ws/a" } : { kind };
    const traits = classify(tool({ isReadOnly: () => true, effects: () => [effect] }), { path: "a" }, place, undefined);
    expect([traits.readOnly, traits.mayWrite]).toEqual([false, true]);
  });

  it("counts a call without effects as writing when it is not declared read-only", () => {
    const traits = classify(tool({ effects: () => [] }), { path: "a" }, place, undefined);
    expect([traits.readOnly, traits.mayWrite]).toEqual([false, true]);
  });

  it("hands the facts to the predicates", () => {
    const seen: unknown[] = [];
    const note =
      <T>(value: T) =>
      (_: unknown, ...rest: readonly unknown[]) => (seen.push(rest.at(-1)), value);
    classify(
      tool({ effects: note([]), isReadOnly: note(true), isConcurrencySafe: note(true), isDestructive: note(false), conflictKeys: note([]) }),
      {},
      place,
      "facts",
    );
    expect(seen).toEqual(["facts", "facts", "facts", "facts", "facts"]);
  });

  it.each(["effects", "isReadOnly", "isConcurrencySafe", "isDestructive", "conflictKeys"] as const)("takes a throw in %s as unsafe in everything", (name) => {
    const calm: Partial<ToolSpec<typeof input>> = {
      isReadOnly: () => true,
      isConcurrencySafe: () => true,
      isDestructive: () => false,
      effects: () => [],
      conflictKeys: () => [],
      reproducible: true,
    };
    const broken = tool({
      ...calm,
      [name]: () => {
        throw new Error("broken");
      },
    });
    expect(classify(broken, { path: "a" }, place, undefined)).toEqual(UNSAFE_TRAITS);
  });
});

describe("the unsafe answer", () => {
  it("locks the workspace and writes", () => {
    expect(UNSAFE_TRAITS.conflictKeys).toEqual([WHOLE_WORKSPACE_KEY]);
    expect(UNSAFE_TRAITS.effects.some(changesFiles)).toBe(true);
  });
});

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KeyVault } from "./contract.ts";
import { openKeys } from "./keys.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-keys-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const vault = (secure: boolean): KeyVault => ({
  secure: () => secure,
  encrypt: async (text) => Buffer.from(text).map((byte) => byte ^ 0x5a),
  decrypt: async (bytes) => Buffer.from(bytes.map((byte) => byte ^ 0x5a)).toString(),
});

describe("keys", () => {
  it("keeps a key in the OS store, over a restart, never readable on disk", async () => {
    const file = join(folder, "keys.json");
    const keys = await openKeys({ file, vault: vault(true), environment: {} });
    expect(await keys.set("anthropic", "sk-ant-1")).toBe("secure");
    expect(await readFile(file, "utf8")).not.toContain("sk-ant-1");
    const again = await openKeys({ file, vault: vault(true), environment: {} });
    expect([again.get("anthropic"), again.origin("anthropic")]).toEqual(["sk-ant-1", "store"]);
    await again.remove("anthropic");
    expect((await openKeys({ file, vault: vault(true), environment: {} })).get("anthropic")).toBeUndefined();
  });

  it("without a secure store the key lives in memory only and nothing is written", async () => {
    const keys = await openKeys({ file: join(folder, "keys.json"), vault: vault(false), environment: {} });
    expect(await keys.set("openai", "sk-o")).toBe("memory_only");
    expect([keys.get("openai"), keys.origin("openai")]).toEqual(["sk-o", "memory"]);
    expect(await readdir(folder)).toEqual([]);
  });

  it("takes keys of the environment last, empty ones not at all, and lists every value for masking", async () => {
    const keys = await openKeys({ file: join(folder, "k.json"), vault: undefined, environment: { OPENAI_API_KEY: "sk-env", ANTHROPIC_API_KEY: "" } });
    expect([keys.get("openai"), keys.get("openai-chat"), keys.get("anthropic"), keys.origin("anthropic"), keys.get("demo")]).toEqual([
      "sk-env",
      "sk-env",
      undefined,
      "none",
      undefined,
    ]);
    await keys.set("openai", "sk-mine");
    expect(keys.get("openai")).toBe("sk-mine");
    expect([...keys.values()].sort()).toEqual(["sk-env", "sk-mine"]);
  });
});

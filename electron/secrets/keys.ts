// The keys in use: those of the OS store first, then of this run, then of the environment.
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { ProviderId } from "#shared/settings/settings.ts";
import { replaceFile } from "#electron/lib/replace-file.ts";
import type { Keys, KeyVault } from "./contract.ts";

const ENVIRONMENT: Readonly<Record<ProviderId, string | undefined>> = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  "openai-chat": "OPENAI_API_KEY",
  demo: undefined,
};
/** Encrypted by the vault, base64. */
const Stored = z.partialRecord(ProviderId, z.string());

export type KeysDeps = { readonly file: string; readonly vault: KeyVault | undefined; readonly environment: Readonly<Record<string, string | undefined>> };

/** Never rejects: a key that cannot be decrypted is as good as none, and stays in the file. */
export async function openKeys(deps: KeysDeps): Promise<Keys> {
  const vault = deps.vault?.secure() === true ? deps.vault : undefined;
  const stored = vault === undefined ? {} : await readStored(deps.file);
  const fromStore = new Map<ProviderId, string>();
  for (const [name, cipher] of Object.entries(stored)) {
    const provider = ProviderId.parse(name);
    const key = await vault?.decrypt(Buffer.from(cipher, "base64")).catch(() => undefined);
    if (key !== undefined) fromStore.set(provider, key);
  }
  const memory = new Map<ProviderId, string>();
  const environment = (provider: ProviderId) => {
    const name = ENVIRONMENT[provider];
    const value = name === undefined ? undefined : deps.environment[name];
    return value === "" ? undefined : value;
  };
  const save = async (change: Partial<Record<ProviderId, string | undefined>>) => {
    const next = Object.fromEntries(Object.entries({ ...(await readStored(deps.file)), ...change }).filter(([, cipher]) => cipher !== undefined));
    await replaceFile(deps.file, JSON.stringify(next));
  };
  return {
    get: (provider) => fromStore.get(provider) ?? memory.get(provider) ?? environment(provider),
    origin: (provider) => (fromStore.has(provider) ? "store" : memory.has(provider) ? "memory" : environment(provider) === undefined ? "none" : "environment"),
    async set(provider, key) {
      if (vault === undefined) {
        memory.set(provider, key);
        return "memory_only";
      }
      await save({ [provider]: Buffer.from(await vault.encrypt(key)).toString("base64") });
      fromStore.set(provider, key);
      return "secure";
    },
    async remove(provider) {
      memory.delete(provider);
      if (fromStore.delete(provider)) await save({ [provider]: undefined });
    },
    values: () => [...new Set([...fromStore.values(), ...memory.values(), ...ProviderId.options.flatMap((provider) => environment(provider) ?? [])])],
  };
}

async function readStored(file: string): Promise<z.infer<typeof Stored>> {
  const content = await readFile(file, "utf8").catch(() => "{}");
  try {
    const parsed = Stored.safeParse(JSON.parse(content));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}

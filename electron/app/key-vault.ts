// The OS key store as Electron gives it. A store that only hides the key counts as none (R3, DESIGN decision N).
import { safeStorage } from "electron";
import type { KeyVault } from "#electron/secrets/contract.ts";

export function createKeyVault(): KeyVault {
  return {
    secure: () => safeStorage.isEncryptionAvailable() && backend() !== "basic_text",
    encrypt: async (text) => safeStorage.encryptString(text),
    decrypt: async (bytes) => safeStorage.decryptString(Buffer.from(bytes)),
  };
}

// Asked by name because the oldest supported Electron does not have it.
function backend(): string | undefined {
  const ask: unknown = Reflect.get(safeStorage, "getSelectedStorageBackend");
  const answer: unknown = typeof ask === "function" ? Reflect.apply(ask, safeStorage, []) : undefined;
  return typeof answer === "string" ? answer : undefined;
}

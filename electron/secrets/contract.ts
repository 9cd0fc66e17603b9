// Keys of model providers. They live in the OS key store or in memory, never in plain text on disk (R3, DESIGN decision N).
import type { ProviderId } from "#shared/settings/settings.ts";

/** The OS key store, as electron/app provides it; absent in the headless command. */
export interface KeyVault {
  /** false: nothing on this machine protects a stored key */
  secure(): boolean;
  encrypt(text: string): Promise<Uint8Array>;
  decrypt(bytes: Uint8Array): Promise<string>;
}

export type KeyOrigin = "store" | "memory" | "environment" | "none";

export interface Keys {
  get(provider: ProviderId): string | undefined;
  origin(provider: ProviderId): KeyOrigin;
  /** Answers where the key is kept now. */
  set(provider: ProviderId, key: string): Promise<"secure" | "memory_only">;
  remove(provider: ProviderId): Promise<void>;
  /** every key known, for masking */
  values(): readonly string[];
}

// What every adapter is built from: the person's configuration, checked once.
import type { Endpoint } from "./endpoint.ts";
import type { Fetch } from "./guarded-fetch.ts";

export type Setup = {
  readonly apiKey: string;
  readonly endpoint: Endpoint;
  /** guarded; see guarded-fetch.ts */
  readonly fetch: Fetch;
  readonly secrets: readonly (string | undefined)[];
  readonly contextWindows: Readonly<Record<string, number>>;
  /** longer than any rung of the ladder, so that ours speak first */
  readonly sdkTimeoutMs: number;
};

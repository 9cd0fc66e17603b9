// Where nothing is attached and no file is found.
import { err, ok } from "#shared/lib/result.ts";
import type { BridgeDeps } from "#electron/bridge/contract.ts";

export const noAttachments: Pick<BridgeDeps, "attachments" | "files" | "sessionFolder"> = {
  attachments: {
    put: async () => err({ kind: "failed", message: "none" }),
    get: async () => undefined,
    adopt: async () => ok(null),
    ofSession: async () => undefined,
    touch: async () => {},
  },
  files: { find: async () => ({ paths: [], total: 0 }), picture: async () => undefined },
  sessionFolder: (id) => `/nowhere/${id}`,
};

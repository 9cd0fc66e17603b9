// All handlers of the contract; a missing one does not compile.
import type { contract } from "#shared/ipc/contract.ts";
import type { HandlersOf } from "#shared/ipc/define.ts";
import type { Clock } from "#electron/lib/clock.ts";
import { appHandlers } from "./app-handlers.ts";
import { checkpointHandlers } from "./checkpoint-handlers.ts";
import type { BridgeDeps } from "./contract.ts";
import { hookHandlers } from "./hook-handlers.ts";
import { permissionHandlers, questionHandlers, sessionHandlers } from "./session-handlers.ts";
import { attachmentHandlers, fileHandlers } from "./attachment-handlers.ts";
import { copyHandlers } from "./copy-handlers.ts";
import { shellHandlers } from "./shell-handlers.ts";
import { keysHandlers, settingsHandlers } from "./settings-handlers.ts";

export function createHandlers(deps: BridgeDeps, clock: Clock): HandlersOf<typeof contract> {
  return {
    app: appHandlers(deps),
    settings: settingsHandlers(deps),
    keys: keysHandlers(deps),
    sessions: sessionHandlers(deps, clock),
    permissions: permissionHandlers(deps),
    questions: questionHandlers(deps),
    checkpoints: checkpointHandlers(deps),
    hooks: hookHandlers(deps),
    copies: copyHandlers(deps),
    attachments: attachmentHandlers(deps),
    files: fileHandlers(deps),
    shells: shellHandlers(deps, clock),
  };
}

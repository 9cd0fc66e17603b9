// A reply that came in whole or in part, with what it set in motion. Scope and scheduler are open; whoever holds it settles them.
import type { TurnScheduler } from "#electron/scheduler/contract.ts";
import type { Scope } from "#electron/lib/scope.ts";
import type { CallIntake } from "./call-intake.ts";
import type { Reply } from "./contract.ts";

export type OpenReply = {
  readonly reply: Reply;
  readonly intake: CallIntake;
  readonly scheduler: TurnScheduler;
  readonly scope: Scope;
  /** the output limit struck inside a call that was never completed */
  readonly halfCall: boolean;
  /** what the request asked for */
  readonly maxTokens: number;
};

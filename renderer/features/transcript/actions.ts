// What the rows of the conversation ask of the pane around them.
import type { ReactNode } from "react";
import type { CallId, CheckpointId, EntryId, TurnId } from "#shared/lib/ids.ts";
import type { NoticeAction } from "#shared/loop/turn-end.ts";

export type TranscriptActions = {
  readonly renderCall: (call: CallId) => ReactNode;
  readonly onReview: (turn: TurnId) => void;
  readonly onUndoTurn: (target: CheckpointId, turn: TurnId) => void;
  readonly onAct: (action: NoticeAction, turn: TurnId) => void;
  /** without words: the same once more; false: it was not taken */
  /** goes on from before this message in a conversation of its own */
  readonly onFork: (prompt: EntryId) => void;
  /** the find bar went away; the keyboard goes back to where one writes */
  readonly onFindClosed: () => void;
  readonly onResend: (prompt: EntryId, words?: string) => Promise<boolean>;
};

// The durable union: what a session's log holds, one JSON object a line. Never mixed with live events.
import { z } from "zod";
import { Seq } from "#shared/lib/ids.ts";
import {
  CallIntended,
  CallSettled,
  CallStarted,
  OutcomeTold,
  PermissionAnswered,
  PermissionAsked,
  PermissionRefused,
  PersonAnswered,
  PersonAsked,
} from "./calls.ts";
import {
  Compacted,
  LoopTransition,
  NoteAdded,
  PromptSubmitted,
  ReplyCompleted,
  ReplyWithdrawn,
  ResultsAdded,
  SteerAdded,
  TurnComplete,
  UsageCounted,
  WarningRaised,
} from "./conversation.ts";
import {
  BringUndone,
  BroughtOver,
  CheckpointMarked,
  CheckpointMissing,
  CheckpointTaken,
  ConversationMoved,
  FolderMoved,
  GoalChanged,
  HypothesesChanged,
  ModeChanged,
  ModelChanged,
  PromptQueued,
  PromptUnqueued,
  RepositorySeen,
  RolledBack,
  SessionCreated,
  SessionRenamed,
  TodosChanged,
} from "./session.ts";

export const SessionEvent = z.discriminatedUnion("type", [
  SessionCreated,
  SessionRenamed,
  FolderMoved,
  RepositorySeen,
  ModeChanged,
  ModelChanged,
  PromptQueued,
  PromptUnqueued,
  TodosChanged,
  GoalChanged,
  HypothesesChanged,
  PromptSubmitted,
  NoteAdded,
  SteerAdded,
  ReplyCompleted,
  UsageCounted,
  ResultsAdded,
  Compacted,
  LoopTransition,
  ReplyWithdrawn,
  WarningRaised,
  TurnComplete,
  CallStarted,
  CallIntended,
  CallSettled,
  OutcomeTold,
  PermissionAsked,
  PermissionAnswered,
  PermissionRefused,
  PersonAsked,
  PersonAnswered,
  CheckpointTaken,
  CheckpointMarked,
  CheckpointMissing,
  RolledBack,
  ConversationMoved,
  BroughtOver,
  BringUndone,
]);
export type SessionEvent = z.infer<typeof SessionEvent>;
export type EventOf<T extends SessionEvent["type"]> = Extract<SessionEvent, { type: T }>;

/** One line of the log. `at`: ms since the epoch. */
export const StoredEvent = z.object({ seq: Seq, at: z.number(), event: SessionEvent });
export type StoredEvent = z.infer<typeof StoredEvent>;

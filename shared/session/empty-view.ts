// A session before its first event.
import { NO_USAGE } from "#shared/chat/usage.ts";
import { Seq, type SessionId } from "#shared/lib/ids.ts";
import type { SessionView } from "./view.ts";

export function emptyView(session: SessionId): SessionView {
  return {
    session,
    seq: Seq.parse(0),
    title: "",
    cwd: "",
    createdAt: 0,
    updatedAt: 0,
    repository: undefined,
    filed: { pinned: false, archived: false },
    copyOf: undefined,
    broughtOver: [],
    mode: "default",
    maker: { provider: "demo", model: "demo" },
    entries: {},
    head: null,
    calls: {},
    rows: [],
    trail: [],
    current: undefined,
    missingCheckpoints: [],
    turn: undefined,
    pending: [],
    queue: [],
    attention: "idle",
    usage: NO_USAGE,
    spent: [],
    windowUsed: 0,
    todos: [],
    goal: undefined,
    hypotheses: [],
    lastEnd: undefined,
    undoable: undefined,
    undoHead: null,
    returnedPrompt: undefined,
  };
}

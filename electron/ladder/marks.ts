// What was heard in one attempt, and when, in agent time (L19). Time in which the consumer was busy with an event does not count as
// silence: nothing is read meanwhile, so nothing can be heard.
import type { AgentTime } from "./agent-time.ts";
import type { AttemptFacts } from "./predicates.ts";

/** `progress` is content too, content is bytes too, and bytes mean that the headers are there. */
export type Heard = "headers" | "bytes" | "content" | "progress";

export interface Marks {
  heard(what: Heard): void;
  /** an event is handed to the consumer; `taken` when it came back for more */
  handing(): void;
  taken(): void;
  facts(): AttemptFacts;
}

const RANK: Readonly<Record<Heard, number>> = { headers: 0, bytes: 1, content: 2, progress: 3 };
const HEARD_MARKS = ["bytesAt", "contentAt", "progressAt"] as const;

export function createMarks(time: Pick<AgentTime, "now">, phaseAt: number): Marks {
  const startedAt = time.now();
  const at: { headersAt?: number; bytesAt?: number; contentAt?: number; progressAt?: number; seenAt?: number; handedAt?: number } = {};
  return {
    heard(what) {
      const now = time.now();
      const rank = RANK[what];
      at.headersAt ??= now;
      if (rank >= RANK.bytes) at.bytesAt = now;
      if (rank >= RANK.content) at.contentAt = now;
      if (rank >= RANK.progress) at.progressAt = now;
    },
    handing() {
      at.handedAt = time.now();
    },
    taken() {
      const now = time.now();
      const busy = now - (at.handedAt ?? now);
      for (const mark of HEARD_MARKS) {
        const before = at[mark];
        if (before !== undefined && busy > 0) at[mark] = before + busy;
      }
      if (at.headersAt !== undefined && at.bytesAt === undefined && busy > 0) at.bytesAt = at.headersAt + busy;
      delete at.handedAt;
      at.seenAt = now;
    },
    facts: () => ({
      now: time.now(),
      phaseAt,
      startedAt,
      headersAt: at.headersAt,
      bytesAt: at.bytesAt,
      contentAt: at.contentAt,
      progressAt: at.progressAt,
      seenAt: at.seenAt,
      handing: at.handedAt !== undefined,
    }),
  };
}

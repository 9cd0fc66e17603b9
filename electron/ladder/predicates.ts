// What each rung judges (L19): pure functions of what was heard and when. Times are agent time, ms: waits that are not the
// agent's are taken out already. Each rung has a predicate of its own; rungs that differ only in numbers would be one rung.
import type { RungName } from "#shared/trace/trace.ts";
import { RUNGS, type Ladder } from "./rungs.ts";

export type AttemptFacts = {
  readonly now: number;
  /** begin of the step's model phase, all attempts and back-offs included */
  readonly phaseAt: number;
  readonly startedAt: number;
  readonly headersAt: number | undefined;
  /** anything arrived, keep-alives too */
  readonly bytesAt: number | undefined;
  /** an event of the reply arrived, empty ones too */
  readonly contentAt: number | undefined;
  /** something that was not blank arrived */
  readonly progressAt: number | undefined;
  /** the consumer outside took an event */
  readonly seenAt: number | undefined;
  /** an event is being handed to the consumer; nothing is read meanwhile */
  readonly handing: boolean;
};

/** ms that count against the rung; undefined while it does not judge. */
export function waitedFor(rung: RungName, facts: AttemptFacts): number | undefined {
  const { now, headersAt } = facts;
  if (rung === "headers") return headersAt === undefined ? now - facts.startedAt : undefined;
  if (headersAt === undefined) return undefined;
  const since = (mark: number | undefined) => now - Math.max(headersAt, mark ?? headersAt);
  switch (rung) {
    case "no_bytes":
      return facts.handing ? undefined : since(facts.bytesAt);
    case "no_content":
      return facts.handing || !bytesWithoutContent(facts) ? undefined : since(facts.contentAt);
    case "no_progress":
      return facts.handing ? undefined : since(facts.progressAt);
    case "watcher":
      return since(facts.seenAt);
    case "attempt":
      return now - facts.startedAt;
    case "step":
      return now - facts.phaseAt;
  }
}

function bytesWithoutContent(facts: AttemptFacts): boolean {
  return facts.bytesAt !== undefined && (facts.contentAt === undefined || facts.bytesAt > facts.contentAt);
}

export type Fired = { readonly rung: RungName; readonly limitMs: number; readonly waitedMs: number };

/** The first rung, from the inside out, whose limit is reached. */
export function firedRung(ladder: Ladder, facts: AttemptFacts): Fired | undefined {
  for (const rung of ["headers", ...RUNGS] as const) {
    const waitedMs = waitedFor(rung, facts);
    if (waitedMs !== undefined && waitedMs >= ladder[rung]) return { rung, limitMs: ladder[rung], waitedMs };
  }
  return undefined;
}

export type Waiting = { readonly what: "headers" | "bytes" | "content"; readonly forMs: number };

/** What is being waited for right now, and for how long. */
export function waitingFor(facts: AttemptFacts): Waiting {
  if (facts.headersAt === undefined) return { what: "headers", forMs: facts.now - facts.startedAt };
  const forMs = facts.now - Math.max(facts.headersAt, facts.contentAt ?? facts.headersAt);
  return { what: bytesWithoutContent(facts) ? "content" : "bytes", forMs };
}

/** ms until some rung can fire at the earliest, if nothing is heard. */
export function msToNextRung(ladder: Ladder, facts: AttemptFacts): number {
  const left = (["headers", ...RUNGS] as const).flatMap((rung) => {
    const waited = waitedFor(rung, facts);
    return waited === undefined ? [] : [ladder[rung] - waited];
  });
  return Math.max(0, Math.min(...left));
}

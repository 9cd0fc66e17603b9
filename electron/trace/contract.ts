// Where measurements go. Emitting never throws and never waits (O3).
import type { TraceEvent } from "#shared/trace/trace.ts";

export interface Trace {
  emit(event: TraceEvent): void;
}

// Recovery that failed in several turns in a row is not tried at length again until something works (L8). One per session.
import type { SessionBreaker } from "./contract.ts";
import { BREAKER_FAILURES } from "./limits.ts";

export function createSessionBreaker(): SessionBreaker {
  let failures = 0;
  return {
    get open() {
      return failures >= BREAKER_FAILURES;
    },
    failed() {
      failures += 1;
    },
    succeeded() {
      failures = 0;
    },
  };
}

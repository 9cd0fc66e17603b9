/** Ends a closed union; reaching it is a bug, so it throws. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
}

// The code of a failed system or database call.

/** "" when it is no such error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

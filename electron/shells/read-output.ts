// Reads what is new in the output of a command that may still run.
import { open } from "node:fs/promises";
import type { Captured } from "./capture.ts";
import type { ShellOutput } from "./contract.ts";
import { describeOutput } from "./describe-output.ts";
import type { Spool } from "./spool.ts";

const PART_BYTES = 98_304;

/** Never rejects: without a file, what memory still holds is told. */
export async function readOutput(spool: Spool, captured: () => Captured, from: number, redact: (text: string) => string): Promise<ShellOutput> {
  const { total } = captured();
  if (total <= from) return { clean: "", next: from };
  await spool.sync();
  const stored = spool.made ? await readParts(spool.file, from).catch(() => undefined) : undefined;
  if (stored === undefined || stored.total === 0) {
    const whole = describeOutput(captured(), { file: undefined, whole: false });
    return { clean: redact(whole.text), next: captured().total };
  }
  const { text } = describeOutput(stored, { file: spool.file, whole: spool.whole, from });
  // Past the size limit the file does not grow any more, but what is told has been told.
  return { clean: redact(text), next: spool.whole ? from + stored.total : Math.max(total, from + stored.total) };
}

/** Beginning and end of the file from a byte on. */
async function readParts(file: string, from: number): Promise<Captured> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    const total = Math.max(0, size - from);
    const headSize = Math.min(total, PART_BYTES);
    const tailSize = Math.min(total - headSize, PART_BYTES);
    const head = Buffer.alloc(headSize);
    const tail = Buffer.alloc(tailSize);
    await handle.read(head, 0, headSize, from);
    await handle.read(tail, 0, tailSize, size - tailSize);
    return { head, tail, skipped: total - headSize - tailSize, total };
  } finally {
    await handle.close();
  }
}

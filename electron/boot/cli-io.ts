// The command's ends: where it prints, what it reads, how it hears of an interrupt.
import type { Output } from "./cli-output.ts";

export type CliIo = {
  readonly out: Output;
  readonly err: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly cwd: string;
  readonly platform: string;
  /** the folder of the built files */
  readonly outFolder: string;
  /** all of standard input; undefined when it is a terminal */
  readInput(): Promise<string | undefined>;
  /** runs at the first interrupt or terminate signal */
  onInterrupt(listener: () => void): Disposable;
};

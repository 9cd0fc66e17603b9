// Every number of the checkpoint engine, once. Settings may replace them; tests shorten them.

export type CheckpointLimits = {
  /** a larger file is not covered and is listed (K4, K9) */
  readonly maxFileBytes: number;
  /** an ignored file up to this size is covered (K4) */
  readonly maxIgnoredFileBytes: number;
  /** up to this size contents go into the database, packed together; larger ones are files of their own */
  readonly smallBlobBytes: number;
  /** contents packed together before compression; the more, the smaller the store and the slower one read */
  readonly chunkBytes: number;
  /** a side above this is not compared line by line nor merged */
  readonly maxTextBytes: number;
  readonly diffTimeMs: number;
  readonly listedUncovered: number;
  readonly listedChanges: number;
  /** how long another process may hold this folder's store before a take is given up (D12) */
  readonly lockWaitMs: number;
  readonly maxStoreBytes: number;
  readonly maxAgeMs: number;
};

const KB = 1024;
const MB = 1024 * KB;
const DAY_MS = 24 * 60 * 60 * 1000;

export const DEFAULT_LIMITS: CheckpointLimits = {
  maxFileBytes: 100 * MB,
  maxIgnoredFileBytes: MB,
  smallBlobBytes: 256 * KB,
  chunkBytes: 128 * KB,
  maxTextBytes: 2 * MB,
  diffTimeMs: 500,
  listedUncovered: 100,
  listedChanges: 1000,
  lockWaitMs: 10_000,
  maxStoreBytes: 2048 * MB,
  maxAgeMs: 30 * DAY_MS,
};

/** A kernel's file clock ticks every 1 to 10 ms and runs that much behind: two writes within it can look alike. */
export const FILE_CLOCK_SLACK_MS = 25;
/** FAT and some network file systems keep whole or even seconds */
export const COARSE_FILE_CLOCK_SLACK_MS = 2100;
/** file systems over a network, or in a program, may show times late or not at all: what changed within this is read again */
export const REMOTE_SLACK_MS = 60 * 60 * 1000;
/** up to this much is read whole there at the start of each turn, whatever its times say; more would make every turn wait */
export const REMOTE_READ_BYTES = 64 * MB;

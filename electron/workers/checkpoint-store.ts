// Worker entry: holds the checkpoint stores, so that reading, hashing and SQLite never run on the main thread (K3).
import { openDatabase } from "#electron/checkpoints/database.ts";
import { createDisk, watchFolder } from "#electron/checkpoints/disk.ts";
import { createStoreHost } from "#electron/checkpoints/host.ts";
import { isProcessAlive } from "#electron/checkpoints/open-store.ts";
import { verbs } from "#electron/checkpoints/verbs.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { serveWorker } from "#electron/lib/worker-call.ts";

serveWorker(
  verbs,
  createStoreHost({
    disk: createDisk(process.platform),
    clock: createSystemClock(),
    openDb: openDatabase,
    isAlive: isProcessAlive,
    watch: process.platform === "linux" ? watchFolder : undefined,
  }),
);

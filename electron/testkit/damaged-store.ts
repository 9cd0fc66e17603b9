// Damages what a store of checkpoints holds, as a failing disk does (K9).
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import Database from "libsql";

/** Every packed content of the first store in a data folder. */
export async function damageContents(dataDir: string): Promise<void> {
  const stores = join(dataDir, "checkpoints");
  const [store = ""] = await readdir(stores);
  const raw = new Database(join(stores, store, "store.db"));
  raw.exec("UPDATE chunks SET data = x'00'");
  raw.close();
}

// The sample project: copied into a new folder of the person's, never over something that is there.
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ServiceFacts } from "./contract.ts";

const NAME = "Cairn sample";
const MOST = 1_000;

/** Answers the new folder's path; rejects when home cannot be written. */
export async function makeSample({ out, home }: Pick<ServiceFacts, "out" | "home">): Promise<string> {
  for (let count = 1; count <= MOST; count++) {
    const folder = join(home, count === 1 ? NAME : `${NAME} ${count}`);
    const made = await mkdir(folder).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST") return false;
        throw error;
      },
    );
    if (!made) continue;
    await cp(join(out, "sample"), folder, { recursive: true });
    return folder;
  }
  throw new Error(`There are too many folders named ${NAME} in ${home}.`);
}

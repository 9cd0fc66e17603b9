// The person's home folder. `HOME` wins where it is a real place; an empty or relative one would put Cairn's own files into whatever
// folder the command was started in.
import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";

/** Absolute. */
export function homeFolder(said: string = homedir()): string {
  return isAbsolute(said) ? said : userInfo().homedir;
}

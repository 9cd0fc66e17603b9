// Where Cairn keeps its own files: one function for window and headless command (DESIGN decision K). Pure.
import { isAbsolute, join, resolve } from "node:path";

export type DataFolderFacts = {
  readonly platform: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly override: string | undefined;
  readonly cwd: string;
};

/** Absolute. `override` (from --data-dir) wins; else the platform's usual place. */
export function dataFolder({ platform, home, environment, override, cwd }: DataFolderFacts): string {
  if (override !== undefined && override !== "") return isAbsolute(override) ? override : resolve(cwd, override);
  switch (platform) {
    case "win32":
      return join(environment["APPDATA"] ?? join(home, "AppData", "Roaming"), "Cairn");
    case "darwin":
      return join(home, "Library", "Application Support", "Cairn");
    default: {
      const config = environment["XDG_CONFIG_HOME"];
      return join(config !== undefined && isAbsolute(config) ? config : join(home, ".config"), "cairn");
    }
  }
}

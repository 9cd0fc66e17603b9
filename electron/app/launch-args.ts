// What the app itself understands on its command line. Pure.

import { commandOfLink, type WindowCommand } from "#shared/commands/window-command.ts";

export type LaunchArgs = Readonly<Record<"dataDir" | "pickFolder" | "saveFile" | "devUrl", string | undefined>>;

/** What a link on the command line asks for: the system starts the app, or calls the running one, with it. */
export function linkIn(argv: readonly string[]): WindowCommand | undefined {
  return argv.map(commandOfLink).find((command) => command !== undefined);
}

/** `--data-dir=DIR`, and for driving the app without hands `--pick-folder=DIR` and `--save-file=FILE`; the dev server comes from the environment. */
export function launchArgs(argv: readonly string[], environment: Readonly<Record<string, string | undefined>>): LaunchArgs {
  const value = (name: string) => argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const devUrl = environment["CAIRN_DEV_URL"];
  return {
    dataDir: value("data-dir"),
    pickFolder: value("pick-folder"),
    saveFile: value("save-file"),
    devUrl: devUrl?.startsWith("http://127.0.0.1:") === true ? devUrl : undefined,
  };
}

// Finds who judges a simple command. Names are matched as the shell would find them: a path is that program, not the one we know.
import { BUILTINS } from "./builtins.ts";
import { FILE_HANDLERS } from "./file-commands.ts";
import { asksVersion, OTHER_COMMANDS } from "./other-commands.ts";
import { type Call, record, unknown } from "./part.ts";
import { judgeReadCommand } from "./read-command.ts";
import { READ_COMMANDS } from "./read-commands.ts";
import { SHELLS } from "./shells.ts";
import { TEXT_TOOLS } from "./text-tools.ts";
import type { At, Walk, Walked } from "./walk-context.ts";
import type { Word } from "./word.ts";
import { WRAPPERS } from "./wrappers.ts";

const SYSTEM_FOLDER = /^\/(?:usr\/(?:local\/)?)?bin\/([\w.+-]+)$/;

export function walkCommand(words: readonly Word[], at: At, walk: Walk): Walked {
  const [first, ...args] = words;
  const call = { name: first?.raw ?? "", words, args, at, walk };
  if (first?.kind !== "text") return unknown(call, "the command's name is only known at run time");
  const name = SYSTEM_FOLDER.exec(first.text)?.[1] ?? first.text;
  return walk.found.enter(
    () => judge({ ...call, name }),
    () => unknown(call, "commands nested too deep"),
  );
}

function judge(call: Call): Walked {
  const { name } = call;
  noteListed(call);
  if (asksVersion(call)) return record(call, { does: "reads" });
  const handler =
    own(BUILTINS, name) ?? own(WRAPPERS, name) ?? own(SHELLS, name) ?? own(OTHER_COMMANDS, name) ?? own(TEXT_TOOLS, name) ?? own(FILE_HANDLERS, name);
  if (handler !== undefined) return handler(call);
  const row = own(READ_COMMANDS, name);
  return row === undefined ? unknown(call, `${name.slice(0, 60)} is not known to only read`) : judgeReadCommand(call, row);
}

// Names that come as text are cut at white space: a file may be called so that the pieces are options or other paths.
function noteListed({ name, args, at, walk }: Call): void {
  if (own(READ_COMMANDS, name)?.operands === "text" || !args.some((word) => word.kind === "names" && word.listed === true)) return;
  for (const folder of at.state.cwds ?? []) walk.found.links({ folder, below: true, links: false, listed: true });
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

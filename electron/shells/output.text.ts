// What the model is told about output that was shortened.

export type LeftOut = {
  /** in bytes of the raw output */
  readonly leftOut: number;
  readonly total: number;
  readonly file: string | undefined;
  readonly whole: boolean;
  /** first line that is not shown, where it is known */
  readonly line: number | undefined;
};

export function leftOutText({ leftOut, total, file, whole, line }: LeftOut): string {
  const counted = `about ${leftOut} of ${total} bytes left out here`;
  if (file === undefined) return `[… ${counted}. The whole output could not be stored; run the command again with its output filtered or sent to a file. …]`;
  const where = whole ? `The whole output is stored at ${file}.` : `Its beginning is stored at ${file} (the copy ends early: size limit or full disk).`;
  return `[… ${counted}. ${where} Read on with read ${JSON.stringify({ file_path: file, offset: line })} or search it with grep. …]`;
}

/** The workspace is gone: nothing may be done elsewhere instead (F13). */
export function folderGoneText(cwd: string): string {
  return `The folder ${cwd} does not exist any more (renamed, moved or deleted), so nothing was run. Commands are run nowhere else; ask the person to put the folder back or to open the right one.`;
}

export function shellFailedText(file: string, why: string): string {
  if (why.includes("E2BIG")) return "The command is too long for the system (about 128 KB). Write it to a script file and run that.";
  return `The shell ${file} could not be started: ${why}`;
}

export const SHELLS_CLOSED_TEXT = "Cairn is shutting down; no command is started any more.";

// What the model is told about output that was shortened.

export type LeftOut = {
  /** in bytes of the raw output */
  readonly leftOut: number;
  readonly total: number;
  readonly file: string | undefined;
  readonly whole: boolean;
  /** first line that is not shown */
  readonly line: number;
};

export function leftOutText({ leftOut, total, file, whole, line }: LeftOut): string {
  const counted = `about ${leftOut} of ${total} bytes left out here`;
  if (file === undefined) return `[… ${counted}. The whole output could not be stored; run the command again with its output filtered or sent to a file. …]`;
  const where = whole ? `The whole output is stored at ${file}.` : `Its beginning is stored at ${file} (the copy ends early: size limit or full disk).`;
  return `[… ${counted}. ${where} Read on with read {"file_path": ${JSON.stringify(file)}, "offset": ${line}} or search it with grep. …]`;
}

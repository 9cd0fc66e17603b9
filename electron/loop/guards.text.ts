// What the guards of L16 say to the model: facts and the next command to type, never praise or blame.

type Facts = { readonly files: number; readonly metric: { readonly first: string; readonly last: string } | undefined };

function factLine({ files, metric }: Facts): string {
  const measured = metric === undefined || metric.first === metric.last ? "" : ` This number went ${metric.first} → ${metric.last}.`;
  return `Facts of this turn: ${files} ${files === 1 ? "file" : "files"} changed.${measured}`;
}

export function sameReadText(name: string, times: number, facts: Facts): string {
  return `The same ${name} call has now returned the same output ${times} times; nothing it looks at has changed. Its last output is current. ${factLine(facts)} Use what it says, look at something else, or finish if the work is done.`;
}

export function sameScalarText(times: number, facts: Facts): string {
  return `The same command has now printed the same single value ${times} times in a row. One value does not say what to do next. ${factLine(facts)} Run it in a form that shows the items behind the value: save the full output to a file, count it there, and read one slice, for example: CMD > /tmp/out.txt 2>&1; wc -l /tmp/out.txt; sed -n 1,40p /tmp/out.txt`;
}

export function sameShapeText(name: string, times: number, files: number): string {
  return `${times} of the last calls were ${name} calls of the same kind, and nothing was changed in between. ${factLine({ files, metric: undefined })} If they serve a plan, go on; otherwise use what they showed, try another way, or tell the user what is missing.`;
}

export function hopelessCallText(name: string, times: number, error: string): string {
  return `The call ${name} has now failed ${times} times with the same input and the same error, and will fail again as it is. The error was: ${error}\nChange the input as the error says, use another tool, or tell the user what is missing.`;
}

// What other shells than bash read differently. `sh` may be dash or busybox: there `[[ a || x ]]` and `((x))` run x, and
// `$'a\'` ends where bash reads on. Text, not grammar: a wrong guess costs a question.

/** Marks of bash; quoted or not, because the reader that would know is the one that is not there. */
const ONLY_BASH =
  /\$['"[]|(?<!\$)\(\(|\[\[|&>|\|&|<<<|[<>]\(|;;?&|\w=\(|\w\+=|\$\{[!#]?\w+(?:\[|[^\w}:+?=%#-]|:[^-+?=])|\$\{!|\{\w+\}[<>]|\b(?:function|select|coproc|time|export|readonly|local|declare|typeset|let|source)\b/;

/** True when any POSIX shell reads the text as bash does. */
export function isPortable(source: string): boolean {
  return !ONLY_BASH.test(source);
}

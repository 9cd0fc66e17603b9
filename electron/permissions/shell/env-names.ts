// Which assignments before a command change only its data, and which change what is run (B08). Also: names whose values are secrets.

const HARMLESS = new Set([
  "CI",
  "NODE_ENV",
  "DEBUG",
  "FORCE_COLOR",
  "NO_COLOR",
  "CLICOLOR",
  "CLICOLOR_FORCE",
  "COLORTERM",
  "TERM",
  "COLUMNS",
  "LINES",
  "LANG",
  "LANGUAGE",
  "TZ",
  "VERBOSE",
  "PORT",
  "HOST",
  "LOG_LEVEL",
  "RUST_BACKTRACE",
  "RUST_LOG",
  "GOOS",
  "GOARCH",
  "GOARM",
  "CGO_ENABLED",
  "GO111MODULE",
  "PYTHONUNBUFFERED",
  "PYTHONDONTWRITEBYTECODE",
  "PYTHONIOENCODING",
  "PYTHONUTF8",
  "PYTHONHASHSEED",
  "AWS_PROFILE",
  "AWS_REGION",
  "AWS_DEFAULT_REGION",
  "RAILS_ENV",
  "RACK_ENV",
  "MIX_ENV",
  "APP_ENV",
  "FLASK_ENV",
  "FLASK_DEBUG",
  "DJANGO_SETTINGS_MODULE",
  "ASPNETCORE_ENVIRONMENT",
  "DOTNET_CLI_TELEMETRY_OPTOUT",
  "CARGO_TERM_COLOR",
  "CARGO_INCREMENTAL",
  "NEXT_TELEMETRY_DISABLED",
  "TZDIR",
  "SOURCE_DATE_EPOCH",
  "BROWSERSLIST_IGNORE_OLD_DATA",
  "VITEST",
  "JEST_WORKER_ID",
  "TEST",
  "WATCH",
  "COVERAGE",
  "UPDATE_SNAPSHOTS",
]);
// Loaders, interpreters, shells, tools and where they look: the value decides which program runs.
const CHANGES_WHAT_RUNS =
  /^(?:LD_|DYLD_|GIT_|BASH|ZSH|ZDOTDIR|ENV$|IFS$|PS[0-9]$|PROMPT|SHELL|PATH$|CDPATH$|HOME$|USER$|TMPDIR$|TMP$|TEMP$|NODE_|NPM_|npm_|YARN_|PNPM_|BUN_|DENO_|PYTHON|PIP_|PERL|RUBY|GEM_|BUNDLE_|JAVA_|JDK_|_JAVA|MAVEN_|GRADLE_|KOTLIN_|SCALA_|GO[A-Z]|CGO_|RUST|CARGO_|CC$|CXX$|CPP$|LD$|AR$|AS$|MAKE|CMAKE|GCC_|COMPILER|TAR_|GZIP$|BZIP|XZ_|ZSTD|LESS|MORE$|MAN|PAGER|EDITOR|VISUAL|BROWSER|SSH_|SUDO_|DOCKER_|KUBE|AWS_|GOOGLE_|AZURE_|HTTP|http|ALL_PROXY|all_proxy|NO_PROXY|CURL|WGET|SSL_|OPENSSL|GPG|GNUPG|LUA|PHP|R_|TCL|ERL_|ELIXIR|MIX_|DOTNET_|COMPlus|CORECLR|ELECTRON_|XDG_|GCONV|NLSPATH|LOCPATH|TERMINFO|TERMCAP|HOSTALIASES|RESOLV|MALLOC_|GLIBC_|POSIXLY|FUNCNAME|SHELLOPTS|GLOBIGNORE|HIST|INPUTRC|FPATH|fpath|path$)|(?:PATH|PAGER|EDITOR|SHELL|_WRAPPER|_COMMAND|_CMD|_PRELOAD|FLAGS|OPTS|OPTIONS|_OPT|_PROXY|_CONFIG|_HOME|_DIR|_ROOT|_HOOK|_HOOKS|_EXEC|_BIN|_PROGRAM|_LIB|_PLUGIN|_PLUGINS|_URL|_REGISTRY)$/;
const PLAIN_VALUE = /^[\w.,:@%+=-]*$/;
// Options of the Go tool that start programs of their own.
const GO_FLAGS =
  /^-(?:mod|count|v|race|tags|timeout|trimpath|buildvcs|short|cover)(?:=[\w.,-]*)?(?: -(?:mod|count|v|race|tags|timeout|trimpath|buildvcs|short|cover)(?:=[\w.,-]*)?)*$/;

/** `value` is undefined when it is only known at run time. */
export function isHarmlessAssignment(name: string, value: string | undefined): boolean {
  if (value === undefined) return false;
  if (name === "GOFLAGS") return GO_FLAGS.test(value);
  if (HARMLESS.has(name) || name.startsWith("LC_")) return !/[`$\n]/.test(value);
  return !changesWhatRuns(name) && PLAIN_VALUE.test(value);
}

/** Setting such a variable makes the commands after it something else, whatever its value. */
export function changesWhatRuns(name: string): boolean {
  return CHANGES_WHAT_RUNS.test(name) && !HARMLESS.has(name);
}

/** Names whose value should not end up in a conversation. */
export function isSecretName(name: string): boolean {
  return /(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|PRIVATE|APIKEY|API_KEY|ACCESS_KEY|AUTH|COOKIE|(?:^|_)KEY(?:$|_)|(?:^|_)PASS(?:$|_)|(?:^|_)PAT$)/i.test(
    name,
  );
}

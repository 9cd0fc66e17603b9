// Shows a story as it is told: what the spec prints, and at the end only what went wrong.

/** A reporter as Playwright wants it: a class as the default export. */
class StoryReporter {
  onStdOut(chunk) {
    process.stdout.write(chunk);
  }

  onTestEnd(test, result) {
    if (result.status === "passed" || result.status === "skipped") return;
    process.stderr.write(`${test.title}: ${result.status}\n${result.errors.map(({ message, snippet }) => `${message ?? ""}\n${snippet ?? ""}`).join("\n")}\n`);
  }

  onError(error) {
    process.stderr.write(`${error.message ?? String(error.value)}\n`);
  }

  printsToStdio() {
    return true;
  }
}

export default StoryReporter;

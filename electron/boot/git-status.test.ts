import { describe, expect, it } from "vitest";
import { momentLines, readStatus } from "./git-status.ts";

const OID = "0123456789abcdef0123456789abcdef01234567";
const STATUS = [
  `# branch.oid ${OID}`,
  "# branch.head main",
  "# branch.upstream origin/main",
  "# branch.ab +1 -2",
  `1 .M N... 100644 100644 100644 ${OID} ${OID} src/a file.ts`,
  `1 A. N... 000000 100644 100644 ${OID} ${OID} b.ts`,
  `2 R. N... 100644 100644 100644 ${OID} ${OID} R100 new.ts\told.ts`,
  `u UU N... 100644 100644 100644 100644 ${OID} ${OID} ${OID} both.ts`,
  "? new file.txt",
  "# stash 3",
].join("\n");

describe("what git says of a repository (P12)", () => {
  it("is read with HEAD, branch, index and files", () => {
    expect(readStatus(STATUS)).toEqual({
      head: OID,
      branch: "main",
      upstream: "origin/main",
      distance: "+1 -2",
      dirty: [
        { status: ".M", path: "src/a file.ts" },
        { status: "A.", path: "b.ts" },
        { status: "R.", path: "new.ts" },
        { status: "UU", path: "both.ts" },
        { status: "??", path: "new file.txt" },
      ],
    });
  });

  it("has no HEAD before the first commit, and no branch when it stands on none", () => {
    expect(readStatus("# branch.oid (initial)\n# branch.head (detached)\n")).toMatchObject({ head: undefined, branch: undefined, dirty: [] });
  });
});

describe("what the model is told of it each turn", () => {
  const start = { cwd: "/w", state: "repository" as const, head: OID, branch: "main", dirty: [{ status: ".M", path: "mine.ts" }], more: 0 };
  const now = (dirty: readonly string[], head = OID) => ({
    head,
    branch: "main",
    upstream: undefined,
    distance: undefined,
    dirty: dirty.map((path) => ({ status: ".M", path })),
  });

  it("tells the person's work from what came since", () => {
    expect(momentLines(now(["mine.ts", "new.ts"]), start)).toEqual([
      "git branch main, HEAD 0123456789",
      "uncommitted when this session began, so the user's own work; never discard or commit it unasked: .M mine.ts",
      "uncommitted since then: .M new.ts",
    ]);
  });

  it("says when HEAD has moved since the session began", () => {
    expect(momentLines(now([], "f".repeat(40)), start)).toEqual([
      "git branch main, HEAD ffffffffff",
      "when this session began: branch main, HEAD 0123456789",
      "nothing is uncommitted",
    ]);
  });

  it.each([undefined, { ...start, state: "unknown" as const }])("claims nothing about a beginning that nobody saw: %j", (unseen) => {
    expect(momentLines(now(["a.ts"]), unseen)).toEqual([
      "git branch main, HEAD 0123456789",
      "uncommitted before this turn, so the user's unless you changed it: .M a.ts",
    ]);
  });

  it("does not call new what the kept list was too short for, and stays short", () => {
    const many = Array.from({ length: 30 }, (_unused, n) => `f${n}.ts`);
    const [, since] = momentLines(now(many), { ...start, dirty: [], more: 30 });
    expect(since).toMatch(/^also uncommitted, partly since before this session: .M f0\.ts, .*, … 18 more$/);
  });
});

import { describe, expect, it } from "vitest";
import { recordTurn } from "#electron/testkit/event-recorder.ts";
import { calls, says } from "#electron/testkit/server/script.ts";

const tape = (name: string) => `./tapes/${name}.txt`;

describe("a turn", () => {
  it("answers", async () => {
    const { lines } = await recordTurn({ script: [says("Hello.")] });
    await expect(lines.join("\n")).toMatchFileSnapshot(tape("end-answered"));
  });
  it("runs tools", async () => {
    const { lines } = await recordTurn({ script: [calls("read", { file_path: "a" }), calls("write", { file_path: "a", content: "b" }), says("Done.")] });
    await expect(lines.join("\n")).toMatchFileSnapshot(tape("reason-tool-use"));
  });
});

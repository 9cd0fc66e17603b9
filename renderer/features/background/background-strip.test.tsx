import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { createFakeEngine } from "#renderer/testkit/fake-engine.ts";
import { renderWindow, settle } from "#renderer/testkit/render.tsx";
import { BackgroundStrip } from "./background-strip.tsx";

const WORK = { id: "r1", command: "npm start", startedAt: 1_760_000_000_000, ended: false, processes: [{ pid: 7, name: "node" }] };

async function setUp() {
  const engine = createFakeEngine();
  const log = engine.addSession("s1", "/home/me/work");
  await renderWindow(<BackgroundStrip />, { engine, session: log.id });
  await settle();
  return engine;
}

describe("what runs in the background", () => {
  it("is one quiet line, a list when opened, and each can be stopped", async () => {
    const engine = await setUp();
    expect(screen.queryByTestId("background")).toBeNull();
    engine.sendWork([WORK, { ...WORK, id: "r2", command: "setsid daemon", ended: true }]);
    await settle();
    await userEvent.click(screen.getByRole("button", { name: "2 commands run in the background" }));
    const [first, second] = screen.getAllByTestId("background-work");
    expect([first?.textContent, second?.textContent]).toEqual([
      expect.stringContaining("npm start"),
      expect.stringContaining("It has ended, but left running: node (7)"),
    ]);
    await userEvent.click(within(screen.getByTestId("background")).getByRole("button", { name: "Stop npm start" }));
    await settle();
    expect(engine.calls.filter(({ verb }) => verb === "shells.stop").map(({ input }) => input)).toEqual([{ session: "s1", id: "r1" }]);
    engine.sendWork([]);
    await settle();
    expect(screen.queryByTestId("background")).toBeNull();
  });

  it("says what could not be ended", async () => {
    const engine = await setUp();
    engine.sendWork([WORK]);
    engine.fail.set("shells.stop", { kind: "unended", message: "node (7)" });
    await settle();
    await userEvent.click(screen.getByRole("button", { name: "1 command runs in the background" }));
    await userEvent.click(screen.getByRole("button", { name: "Stop npm start" }));
    await settle();
    expect(screen.getByRole("button", { name: "Stop npm start" })).toHaveProperty("disabled", false);
  });
});

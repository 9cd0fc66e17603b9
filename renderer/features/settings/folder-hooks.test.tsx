import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, it } from "vitest";
import { createFakeEngine } from "#renderer/testkit/fake-engine.ts";
import { renderWindow, settle } from "#renderer/testkit/render.tsx";
import { FolderHooks } from "./folder-hooks.tsx";

it("what was said about a folder's hooks is shown, and can be taken back (H1)", async () => {
  const engine = createFakeEngine();
  const state = { hash: "h", hooks: [], problems: [] };
  engine.setHooks({ ...state, folder: "/w/one", decision: "trusted" });
  engine.setHooks({ ...state, folder: "/w/two", decision: "declined" });
  engine.setHooks({ ...state, folder: "/w/three", decision: "open" });
  await renderWindow(<FolderHooks />, { engine });
  await settle();
  const rows = () => screen.getAllByTestId("folder-hooks").map((row) => row.textContent);
  expect(rows()).toEqual([expect.stringMatching(/^\/w\/oneYou trust them/), expect.stringMatching(/^\/w\/twoThey are not run/)]);
  await userEvent.click(screen.getByRole("button", { name: "Take back what you said about the hooks of /w/one" }));
  await settle();
  expect(engine.calls.filter(({ verb }) => verb === "hooks.forget").map(({ input }) => input)).toEqual([{ folder: "/w/one" }]);
  expect(rows().length).toBe(1);
});

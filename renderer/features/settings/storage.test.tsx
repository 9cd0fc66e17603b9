import { cleanup, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { createFakeEngine } from "#renderer/testkit/fake-engine.ts";
import { renderWindow, settle } from "#renderer/testkit/render.tsx";
import { Storage } from "./storage.tsx";

async function setUp(language: "en" | "zh-CN" = "en", options: Parameters<typeof createFakeEngine>[0] = {}) {
  const engine = createFakeEngine(options);
  const rendered = await renderWindow(<Storage />, { engine, language });
  await settle();
  const asked = (verb: string) => engine.calls.filter((call) => call.verb === verb).map((call) => call.input);
  return { ...rendered, asked };
}

describe("storage in the settings", () => {
  it("says of each folder its size, points, pins and oldest point", async () => {
    await setUp();
    expect(screen.getByTestId("storage-folder").textContent).toMatch(
      /^\/home\/me\/work12 points · 1 kept for good · oldest from Nov 1, .*3\.2 MBFree up space$/,
    );
  });

  it("speaks Chinese as well", async () => {
    await setUp("zh-CN");
    expect(screen.getByTestId("storage-folder").textContent).toMatch(/12 个点 · 1 个长期保留 · 最早保存于 .*3\.2 MB释放空间$/);
  });

  it("says which files cannot be brought back, and how many points are lost, in both languages", async () => {
    const damage = { damaged: 2, damagedPaths: ["a.txt", "src/b\u202e.ts"], lostPoints: 1 };
    await setUp("en", { damage });
    expect(screen.getByTestId("storage-folder").textContent).toContain("2 kept versions are damaged · 1 point cannot be gone back to");
    expect(screen.getByTestId("storage-damaged").textContent).toContain("Earlier versions of these files cannot be brought back: a.txt, src/b");
    expect(screen.getByTestId("storage-damaged").textContent).not.toContain("\u202e");
    cleanup();
    await setUp("zh-CN", { damage });
    expect(screen.getByTestId("storage-damaged").textContent).toContain("无法恢复：a.txt");
  });

  it("frees space only after the question, and shows what is left", async () => {
    const { asked, services } = await setUp();
    await userEvent.click(screen.getByTestId("free-space"));
    expect(asked("checkpoints.freeUp")).toEqual([]);
    await userEvent.click(screen.getByTestId("free-confirm"));
    await settle();
    expect(asked("checkpoints.freeUp")).toEqual([{ folder: "/home/me/work" }]);
    expect(screen.queryByTestId("free-dialog")).toBeNull();
    expect(screen.getByTestId("storage-folder").textContent).toContain("5 points");
    expect(services.toasts.store.getState().map((toast) => toast.notice)).toEqual([{ key: "toast.freed", params: { size: "1.6 MB", count: 7 } }]);
  });

  it("keeps the bounds that one types, in megabytes and days", async () => {
    const { services } = await setUp();
    const space = screen.getByLabelText("Most space per folder");
    await userEvent.clear(space);
    await userEvent.type(space, "500{Enter}");
    await settle();
    const age = screen.getByLabelText("Forget points after");
    await userEvent.clear(age);
    await userEvent.type(age, "7{Enter}");
    await settle();
    expect(services.settings.getState().checkpoints).toEqual({ maxBytes: 500 * 1024 * 1024, maxAgeDays: 7 });
  });
});

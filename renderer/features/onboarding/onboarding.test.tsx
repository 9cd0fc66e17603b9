import { fireEvent, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { App } from "#renderer/app/app.tsx";
import { createFakeEngine } from "#renderer/testkit/fake-engine.ts";
import { renderWindow, settle } from "#renderer/testkit/render.tsx";

async function setUp(options: Parameters<typeof createFakeEngine>[0] = {}) {
  const engine = createFakeEngine(options);
  const rendered = await renderWindow(<App />, { engine });
  return { ...rendered, patches: () => engine.calls.filter(({ verb }) => verb === "settings.set").map(({ input }) => input) };
}
const step = () => screen.getByTestId("onboarding").dataset["step"];
const next = async () => await userEvent.click(screen.getByTestId("onboarding-next"));

describe("first start", () => {
  it("takes the language that a quick arrow key moves to, once", async () => {
    const { patches } = await setUp();
    const english = screen.getByTestId("onboarding-language-en");
    english.focus();
    // Down and up before the focus has moved.
    fireEvent.keyDown(english, { key: "ArrowRight" });
    fireEvent.keyUp(english, { key: "ArrowRight" });
    await waitFor(() => expect(patches()).toEqual([{ patch: { language: "zh-CN" } }]));
    await settle();
    expect([patches().length, document.documentElement.lang]).toEqual([1, "zh-CN"]);
  });

  it("goes from language to a first conversation with the demo, by its buttons alone", async () => {
    const { patches, services } = await setUp();
    expect(screen.getByTestId("onboarding-language-en").getAttribute("aria-checked")).toBe("true");
    await next();
    await next();
    await settle();
    expect(step()).toBe("careful");
    await userEvent.click(screen.getByTestId("onboarding-mode-plan"));
    await next();
    await userEvent.click(screen.getByTestId("onboarding-sample"));
    const picker = await screen.findByTestId("folder-picker"); // the work part of the page is loaded by itself
    await settle();
    expect(screen.queryByTestId("onboarding")).toBeNull();
    expect(picker.textContent).toBe("Cairn sample");
    expect(screen.getAllByTestId("suggestion").length).toBe(3);
    expect(services.settings.getState()).toMatchObject({ onboarded: true, provider: "demo", mode: "plan", recentFolders: ["/home/me/Cairn sample"] });
    expect(JSON.stringify(patches())).not.toContain("rules");
  });

  it("preselects the language of the system and changes everything at once", async () => {
    await setUp({ systemLanguage: "zh-TW" });
    expect(screen.getByRole("heading").textContent).toBe("欢迎使用 Cairn");
    await userEvent.click(screen.getByTestId("onboarding-language-en"));
    await settle();
    expect([screen.getByRole("heading").textContent, document.documentElement.lang]).toEqual(["Welcome to Cairn", "en"]);
  });

  it("tries a key before it keeps it, in the provider's own words when it fails", async () => {
    const { engine } = await setUp({ keyStore: "memory_only" });
    await next();
    await userEvent.click(screen.getByTestId("onboarding-key"));
    expect(screen.queryByTestId("key-memory-only")).not.toBeNull();
    await userEvent.click(screen.getByTestId("preset-anthropic"));
    fireEvent.change(screen.getByTestId("model-key"), { target: { value: "bad" } });
    await userEvent.click(screen.getByTestId("model-connect"));
    await settle();
    expect(screen.getByTestId("model-failed").textContent).toBe("The key was not accepted.401: invalid x-api-key");
    expect(engine.calls.some(({ verb }) => verb === "keys.set")).toBe(false);

    fireEvent.change(screen.getByTestId("model-key"), { target: { value: "sk-good" } });
    await userEvent.click(screen.getByTestId("model-connect"));
    await settle();
    expect(engine.calls.find(({ verb }) => verb === "keys.set")?.input).toEqual({ provider: "anthropic", key: "sk-good" });
    expect(step()).toBe("careful");
  });

  it("offers a server on this computer without asking for a key", async () => {
    const { engine, services } = await setUp();
    await next();
    await userEvent.click(screen.getByTestId("onboarding-key"));
    await userEvent.click(screen.getByTestId("preset-ollama"));
    expect(screen.queryByTestId("model-key")).toBeNull();
    await userEvent.click(screen.getByTestId("model-connect"));
    await settle();
    expect(engine.calls.find(({ verb }) => verb === "keys.test")?.input).toEqual({ provider: "openai-chat", baseUrl: "http://127.0.0.1:11434/v1" });
    expect(services.settings.getState()).toMatchObject({
      provider: "openai-chat",
      model: "model-large",
      baseUrls: { "openai-chat": "http://127.0.0.1:11434/v1" },
    });
  });

  it("says why a folder will not do", async () => {
    const { engine } = await setUp();
    await next();
    await next();
    await settle();
    await next();
    engine.fail.set("app.checkFolder", { kind: "home_or_root", path: "/home/me" });
    await userEvent.click(screen.getByTestId("onboarding-folder"));
    await settle();
    expect(screen.getByTestId("folder-problem").textContent).toContain("/home/me holds all your files");
  });
});

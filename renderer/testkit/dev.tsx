// The window on an engine in memory, for looking at it: ?theme=dark&language=zh-CN&scene=main|onboarding|start|settings|split|trail
import "#renderer/app/polyfills.ts";
import "#renderer/theme/theme.css";
import { createRoot } from "react-dom/client";
import { I18nextProvider } from "react-i18next";
import { z } from "zod";
import { App } from "#renderer/app/app.tsx";
import { startServices } from "#renderer/app/start-services.ts";
import { createI18n } from "#renderer/i18n/i18n.ts";
import { memoryStorage } from "#renderer/stores/kept.ts";
import { ServicesProvider } from "#renderer/stores/services.tsx";
import { CallId, ReplyId, SessionId } from "#shared/lib/ids.ts";
import { createFakeEngine } from "./fake-engine.ts";
import { bookingStory, captionStory, priceStory } from "./sample-sessions.ts";

const Query = z.object({
  theme: z.enum(["light", "dark"]).default("light"),
  language: z.enum(["en", "zh-CN"]).default("en"),
  scene: z.string().default("main"),
});

async function show(root: HTMLElement): Promise<void> {
  const { theme, language, scene } = Query.parse(Object.fromEntries(new URLSearchParams(window.location.search)));
  const engine = createFakeEngine({
    keyStore: "memory_only",
    settings: {
      theme,
      language,
      onboarded: scene !== "onboarding",
      provider: scene === "onboarding" ? "demo" : "anthropic",
      model: "claude-opus",
      recentFolders: ["/home/ada/Harbour Guesthouse"],
      rules: { allow: ["bash(npm test:*)", "edit(src/**)"], ask: [], deny: ["bash(rm:*)"] },
    },
  });
  const day = new Date();
  day.setHours(14, 0, 0, 0);
  const startedAt = day.getTime();
  if (scene !== "empty") {
    const booking = engine.addSession("booking", "/home/ada/Harbour Guesthouse");
    const price = engine.addSession("price", "/home/ada/Harbour Guesthouse");
    const captions = engine.addSession("captions", "/home/ada/Harbour Guesthouse");
    const october = engine.addSession("october", "/home/ada/Club newsletter");
    booking.append({ v: 1, type: "session_renamed", title: "Fix the booking dates", byPerson: true });
    price.append({ v: 1, type: "session_renamed", title: "Spring price list", byPerson: true });
    captions.append({ v: 1, type: "session_renamed", title: "Photo captions", byPerson: true });
    october.append({ v: 1, type: "session_renamed", title: "October issue", byPerson: true });
    bookingStory(booking, startedAt);
    priceStory(price, Date.now() - 100_000);
    captionStory(captions, startedAt);
    window.setTimeout(() => {
      const reply = ReplyId.parse("live");
      price.live({ type: "text_delta", reply, text: "Now the page to print. I take last year's template and fill in the new prices" });
      price.live({ type: "call_state", call: CallId.parse("live-call"), tool: "bash", state: "running", input: { command: "python3 round.py prices.csv" } });
      price.live({
        type: "call_progress",
        call: CallId.parse("live-call"),
        progress: { kind: "output", text: "reading prices.csv\r\n\u001b[33m12 rooms\u001b[0m, 4 seasons\r\n" },
      });
      price.live({ type: "tool_input_delta", reply, index: 1, name: "write", chars: 1_240 });
    }, 300);
  }
  const started = await startServices(engine.client, memoryStorage());
  if (!started.ok) throw new Error(started.error);
  const services = started.value;
  const tab = (id: string) => ({ kind: "session" as const, id: SessionId.parse(id) });
  if (scene === "main") services.layout.setState({ tabs: [tab("booking"), tab("price"), tab("captions")], panes: ["booking"], focused: 0 });
  if (scene === "split") services.layout.setState({ tabs: [tab("booking"), tab("price"), tab("captions")], panes: ["booking", "price"], focused: 0 });
  if (scene === "captions") services.layout.setState({ tabs: [tab("captions")], panes: ["captions"], focused: 0 });
  if (scene === "price") services.layout.setState({ tabs: [tab("price")], panes: ["price"], focused: 0 });
  if (scene === "start")
    services.layout.setState({ tabs: [{ kind: "start", id: "start-1", cwd: "/home/ada/Harbour Guesthouse" }], panes: ["start-1"], focused: 0 });
  if (scene === "settings") services.screen.setState({ kind: "settings", section: undefined }, true);
  const i18n = await createI18n(language);
  createRoot(root).render(
    <I18nextProvider i18n={i18n}>
      <ServicesProvider services={services}>
        <App />
      </ServicesProvider>
    </I18nextProvider>,
  );
}

const root = document.getElementById("root");
if (root !== null) void show(root);

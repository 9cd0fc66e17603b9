// The window on an engine in memory, for looking at it: ?theme=dark&language=zh-CN&scene=main|onboarding|start|settings|split|trail
import "#renderer/app/polyfills.ts";
import "#renderer/theme/theme.css";
import { createRoot } from "react-dom/client";
import { I18nextProvider } from "react-i18next";
import { z } from "zod";
import { App } from "#renderer/app/app.tsx";
import { startServices } from "#renderer/app/start-services.ts";
import { createI18n } from "#renderer/i18n/i18n.ts";
import { type Services, ServicesProvider } from "#renderer/stores/services.tsx";
import { NO_USAGE } from "#shared/chat/usage.ts";
import { CallId, EntryId, ReplyId, SessionId, TurnId } from "#shared/lib/ids.ts";
import { memoryStorage } from "./memory-storage.ts";
import { createFakeEngine } from "./fake-engine.ts";
import type { FakeLog } from "./log.ts";
import { bookingStory, captionStory, hugeStory, priceStory, storyOf } from "./sample-sessions.ts";

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
      recentFolders: ["/home/me/Harbour Guesthouse"],
      rules: { allow: ["bash(npm test:*)", "edit(src/**)"], ask: [], deny: ["bash(rm:*)"] },
    },
  });
  const day = new Date();
  day.setHours(14, 0, 0, 0);
  const startedAt = day.getTime();
  if (scene !== "empty") {
    const booking = engine.addSession("booking", "/home/me/Harbour Guesthouse");
    const price = engine.addSession("price", "/home/me/Harbour Guesthouse");
    const captions = engine.addSession("captions", "/home/me/Harbour Guesthouse");
    const october = engine.addSession("october", "/home/me/Club newsletter");
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
  if (scene === "huge") hugeStory(engine.addSession("huge", "/home/me/Harbour Guesthouse"), HUGE_TURNS);
  if (scene === "stream") {
    const log = engine.addSession("stream", "/home/me/Harbour Guesthouse");
    storyOf(log, Date.now()).prompt("Write a very long answer.");
    window.addEventListener("cairn-stream", () => streamInto(log));
  }
  const started = await startServices(engine.client, memoryStorage());
  if (!started.ok) throw new Error(started.error);
  const services = started.value;
  openScene(services, scene);
  const i18n = await createI18n(language);
  createRoot(root).render(
    <I18nextProvider i18n={i18n}>
      <ServicesProvider services={services}>
        <App />
      </ServicesProvider>
    </I18nextProvider>,
  );
}

/** Tabs and panes of a scene. */
const SCENES: ReadonlyMap<string, readonly [tabs: string, panes: string]> = new Map([
  ["main", ["booking,price,captions", "booking"]],
  ["split", ["booking,price,captions", "booking,price"]],
  ["captions", ["captions", "captions"]],
  ["price", ["price", "price"]],
  ["huge", ["huge", "huge"]],
  ["stream", ["stream", "stream"]],
]);

function openScene({ layout, screen }: Services, scene: string): void {
  const [tabs, panes] = SCENES.get(scene) ?? [];
  if (tabs !== undefined && panes !== undefined) {
    layout.setState({ tabs: tabs.split(",").map((id) => ({ kind: "session" as const, id: SessionId.parse(id) })), panes: panes.split(","), focused: 0 });
  }
  if (scene === "start") layout.setState({ tabs: [{ kind: "start", id: "start-1", cwd: "/home/me/Harbour Guesthouse" }], panes: ["start-1"], focused: 0 });
  if (scene === "settings") screen.setState({ kind: "settings", section: undefined }, true);
}

const HUGE_TURNS = 1_250;
const STREAM_BYTES = 2_000_000;
const PIECE = 100;
const PIECES = 20;

/** 2 MB of Markdown in 20 000 deltas, some twenty of them a frame. */
function streamInto(log: FakeLog): void {
  const reply = ReplyId.parse("stream-reply");
  const text =
    "## A part\n\nWords **and** `code`, one after another, in a paragraph that is neither short nor long.\n\n- one\n- two\n\n```ts\nconst x = 1;\n```\n\n".repeat(
      Math.ceil(STREAM_BYTES / 140),
    );
  let at = 0;
  const timer = window.setInterval(() => {
    const pieces = Array.from({ length: PIECES }, (_, index) => text.slice(at + index * PIECE, at + (index + 1) * PIECE));
    log.live(...pieces.map((piece) => ({ type: "text_delta" as const, reply, text: piece })));
    at += PIECES * PIECE;
    if (at >= STREAM_BYTES) {
      clearInterval(timer);
      log.append({
        v: 1,
        type: "reply_completed",
        entry: EntryId.parse("stream-entry"),
        turn: TurnId.parse("stream-turn-1"),
        step: 1,
        reply,
        by: { provider: "demo", model: "demo" },
        blocks: [{ type: "text", text: text.slice(0, at) }],
        stop: { kind: "end_turn" },
        usage: NO_USAGE,
        partial: false,
      });
      document.title = "stream over";
    }
  }, 16);
}

const root = document.getElementById("root");
if (root !== null) void show(root);

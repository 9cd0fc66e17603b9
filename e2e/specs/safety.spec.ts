// What a model, a file or a page cannot do to the window and to the person (G03, G11, G15, R1).
import { expect, test } from "@playwright/test";
import { type ModelServer, startModelServer } from "#electron/testkit/server/model-server.ts";
import { says, type ScriptedReply } from "#electron/testkit/server/script.ts";
import { type App, removePlace, send } from "#e2e/driver.ts";
import { begin, newModelPlace, openWithModel } from "#e2e/with-model.ts";

const CORPUS = [
  '<img src=x onerror="window.__pwn=1"> <svg onload=__pwn=1> <iframe srcdoc="<script>parent.__pwn=1</script>"></iframe>',
  "[one](javascript:window.__pwn=1) [two](JaVaScRiPt&#58;window.__pwn=1) [three](data:text/html,<script>__pwn=1</script>) [four](vbscript:1)",
  '<a href="x" onclick="__pwn=1">y</a> <form action=https://evil.invalid><input name=q></form> <style>*{display:none}</style> <base href="https://evil.invalid/">',
  '[five](https://a.invalid "\\" onmouseover=\\"__pwn=1")',
  "![picture](https://evil.invalid/p.png)",
  '```html\n<img src=x onerror="window.__pwn=1"><script>window.__pwn=1</script>\n```',
  "```mermaid\ngraph TD; A[<img src=x onerror=__pwn=1>]\n```",
].join("\n\n");
const FILE_NAME = "<img src=x onerror=__pwn=1>.txt";
const CARD = '[data-testid="permission-card"]';

async function withApp(replies: readonly ScriptedReply[], story: (app: App, server: ModelServer) => Promise<void>): Promise<void> {
  const server = await startModelServer({ script: (_, n) => replies[n] ?? says("Done.") });
  const place = await newModelPlace({ [FILE_NAME]: CORPUS });
  const app = await openWithModel(server, place);
  try {
    await story(app, server);
    server.assertClean();
  } finally {
    await app.quit();
    await server.close();
    await removePlace(place);
  }
}

/** Links go to a list instead of the person's browser. */
async function catchLinks(app: App): Promise<() => Promise<unknown>> {
  await app.electron.evaluate(({ shell }) => {
    const opened: string[] = [];
    Reflect.set(globalThis, "openedLinks", opened);
    shell.openExternal = async (url) => void opened.push(url);
  });
  return () =>
    app.electron.evaluate(() => {
      const kept: unknown = Reflect.get(globalThis, "openedLinks");
      return Array.isArray(kept) ? kept.map(String) : [];
    });
}

const pwned = (app: App) => app.page.evaluate(() => String(Reflect.get(window, "__pwn")));

test("text of the model, of files, names and titles shows, and never acts (G03)", async () => {
  await withApp(
    [
      {
        parts: [
          { type: "text", text: CORPUS },
          { type: "tool", name: "read", input: { file_path: FILE_NAME } },
        ],
      },
      says(CORPUS),
    ],
    async (app) => {
      const { page } = app;
      const requests: string[] = [];
      page.on("request", (request) => requests.push(request.url()));
      const links = await catchLinks(app);
      await begin(app, `${FILE_NAME} <img src=x onerror=__pwn=1>`);
      await expect(page.getByTestId("turn-end")).toHaveAttribute("data-why", "answered");
      await expect(page.getByTestId("answer").first()).toBeVisible();
      await page.getByTestId("tool-card").getByRole("button").first().click();
      await expect(page.getByTestId("tool-card")).toContainText("evil.invalid");
      const found = await page.getByTestId("transcript").getByRole("link").all();
      expect(found.length).toBeGreaterThan(0);
      for (const link of found) await link.click();
      await expect.poll(links).toEqual(expect.arrayContaining(["https://a.invalid/", "https://evil.invalid/p.png"]));
      const opened = JSON.stringify(await links());
      expect(opened).not.toMatch(/javascript|data:|vbscript/i);
      expect(await page.locator("iframe, form, base, object, embed, [onerror], [onclick], [onmouseover], #root style").count()).toBe(0);
      expect(await page.locator("a[href]").count()).toBe(0);
      expect(await pwned(app)).toBe("undefined");
      expect(requests.filter((url) => !/^(app|data|blob|devtools):/.test(url))).toEqual([]);
      expect(app.electron.windows()).toHaveLength(1);
      await expect(page.getByTestId("composer-input")).toBeVisible();
      expect(app.problems).toEqual([]);
    },
  );
});

test("the page has no power but its one port, and goes nowhere (G11, R1)", async () => {
  await withApp([], async (app) => {
    const { page } = app;
    await begin(app, "Hello");
    await expect(page.getByTestId("turn-end")).toBeVisible();
    const preferences = await app.electron.evaluate(({ webContents }) => {
      const [contents] = webContents.getAllWebContents();
      const ask: unknown = contents === undefined ? undefined : Reflect.get(contents, "getLastWebPreferences");
      const read: unknown = typeof ask === "function" && contents !== undefined ? Reflect.apply(ask, contents, []) : undefined;
      const kept = typeof read === "object" && read !== null ? new Map<string, unknown>(Object.entries(read)) : new Map<string, unknown>();
      return ["sandbox", "contextIsolation", "nodeIntegration", "webviewTag"].map((name) => kept.get(name) === true);
    });
    expect(preferences).toEqual([true, true, false, false]);
    const powers = await page.evaluate(() => ["require", "process", "module", "Buffer", "ipcRenderer", "electron", "global"].filter((name) => name in window));
    expect(powers).toEqual([]);
    // A plain frame has the names every page has: what the window has beyond them was put there.
    const added = await page.evaluate(() => {
      const frame = document.body.appendChild(document.createElement("iframe"));
      const plain = new Set(Object.getOwnPropertyNames(frame.contentWindow));
      const names = Object.getOwnPropertyNames(window).filter((name) => !plain.has(name) && name !== "0" && !name.startsWith("__zod_"));
      frame.remove();
      return names;
    });
    expect(added).toEqual([]);

    expect(await page.evaluate(() => window.open("https://evil.invalid/") === null)).toBe(true);
    await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.__pwn = 1";
      document.body.append(script);
      const frame = document.createElement("iframe");
      frame.src = "data:text/html,<script>parent.postMessage('cairn-ready','*')</script>";
      document.body.append(frame);
    });
    await expect.poll(() => app.problems.filter((problem) => /Content Security Policy/.test(problem)).length).toBeGreaterThanOrEqual(2);
    expect(await pwned(app)).toBe("undefined");
    expect(app.electron.windows()).toHaveLength(1);
    await send(app, "Still here?");
    await expect(page.getByTestId("turn-end")).toHaveCount(2);

    const address = page.url();
    const words = await page.getByTestId("transcript").innerText();
    for (const to of ["https://evil.invalid/", "file:///etc/hostname", "data:text/html,hello"]) {
      await page.evaluate((url) => {
        const link = document.body.appendChild(document.createElement("a"));
        link.href = url;
        link.click();
        link.remove();
      }, to);
    }
    // Playwright waits for the end of a navigation that was refused, so the page is asked directly.
    const seen = () => page.evaluate(() => document.querySelector<HTMLElement>('[data-testid="transcript"]')?.innerText);
    await expect
      .poll(() => app.electron.evaluate(({ webContents }) => webContents.getAllWebContents().map((contents) => [contents.getURL(), contents.isLoading()])))
      .toEqual([[address, false]]);
    expect(await seen()).toBe(words);
  });
});

test("a blank page in the window has no port, and the app comes back (G11)", async () => {
  await withApp([], async (app) => {
    const { page } = app;
    await begin(app, "Hello");
    await expect(page.getByTestId("turn-end")).toBeVisible();
    await Promise.all([page.waitForURL(/^app:/), page.evaluate(() => location.assign("about:blank")).catch(() => undefined)]);
    await expect(page.getByTestId("tab")).toBeVisible();
    await expect(page.getByTestId("turn-end")).toBeVisible();
    await send(app, "Still here?");
    await expect(page.getByTestId("turn-end")).toHaveCount(2);
  });
});

test("a frame gets no port; the port answers rubbish with errors and lives on (G11)", async () => {
  await withApp([], async (app) => {
    const result = await app.page.evaluate(async () => {
      const ports: MessagePort[] = [];
      const inFrame: unknown[] = [];
      window.addEventListener("message", (event) => {
        if (event.data === "cairn-port") ports.push(...event.ports);
      });
      const frame = document.body.appendChild(document.createElement("iframe"));
      frame.contentWindow?.addEventListener("message", (event) => inFrame.push(event.data, ...event.ports));
      // As if the frame had called its parent.
      window.dispatchEvent(new MessageEvent("message", { data: "cairn-ready", source: frame.contentWindow }));
      frame.contentWindow?.postMessage("cairn-ready", "*");
      // Ours comes after theirs: whatever they had got would be here first.
      window.postMessage("cairn-ready", "*");
      while (ports.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      const port = ports[0];
      if (port === undefined) throw new Error("no port");
      const answers: { readonly id?: unknown; readonly ok?: unknown }[] = [];
      port.addEventListener("message", (event: MessageEvent<{ readonly id?: unknown; readonly ok?: unknown }>) => answers.push(event.data));
      port.start();
      const call = (id: number, d: string, v: string, input: unknown) => port.postMessage({ t: "call", id, d, v, input });
      for (const rubbish of [undefined, null, 1, "x", {}, [], { t: "call" }, { t: "nothing", id: 1 }, { t: "open", id: -1 }, new Uint8Array(9)])
        port.postMessage(rubbish);
      call(1, "__proto__", "toString", {});
      call(2, "app", "constructor", {});
      call(3, "sessions", "prompt", { session: "../../etc/passwd", blocks: [] });
      call(4, "permissions", "answer", { session: "nobody", question: "q1", answer: { behavior: "allow" } });
      call(5, "app", "openExternal", { url: "file:///etc/passwd" });
      call(6, "app", "openExternal", { url: "x".repeat(10_000_000) });
      call(7, "app", "checkFolder", JSON.parse('{"__proto__":{"path":"/"}}'));
      call(8, "app", "facts", {});
      const until = performance.now() + 8_000;
      while (!answers.some((answer) => answer.id === 8) && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
      return {
        ports: ports.length,
        inFrame: inFrame.filter((one) => one !== "cairn-ready").length,
        ok: answers.filter(({ ok }) => ok === true).map(({ id }) => id),
      };
    });
    expect(result).toEqual({ ports: 1, inFrame: 0, ok: [8] });
  });
});

test("a question that comes while one is typing is not answered by what is typed (G15)", async () => {
  const asks = {
    parts: [
      { type: "wait", ms: 900 },
      { type: "tool", name: "bash", input: { command: "touch made.txt", description: "Make" } },
    ],
  } as const;
  await withApp([asks], async (app) => {
    const { page } = app;
    await begin(app, "Make a file");
    const input = page.getByTestId("composer-input");
    await input.focus();
    const words = "please run 1 2 y yes n w ";
    await expect(async () => {
      await input.pressSequentially(words, { delay: 65 });
      await expect(page.locator(CARD)).toBeVisible({ timeout: 1 });
    }).toPass();
    await expect(input).toBeFocused();
    expect((await input.inputValue()).replaceAll(words, "")).toBe("");
    await input.press("Space");
    await input.press("Enter");
    await expect(page.getByTestId("queued-message")).toContainText(words.trim());
    // Right after a key, in the same moment, neither key nor click counts.
    const dead = await page.evaluate((card) => {
      const element = document.querySelector(card);
      document.querySelector('[data-testid="composer-input"]')?.dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true }));
      if (element instanceof HTMLElement) element.focus();
      for (const key of ["y", "Enter", " ", "1"]) element?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      document.querySelector<HTMLElement>('[data-testid="allow-once"]')?.click();
      return document.querySelector(card) === element;
    }, CARD);
    expect(dead).toBe(true);
    await expect(page.getByTestId("allow-once")).toHaveAttribute("aria-disabled", "false");
    await expect(page.locator(CARD)).toBeVisible();
    // On purpose it does: this is what the rest must not do by accident.
    await page.locator(CARD).focus();
    await page.keyboard.press("y");
    await expect(page.locator(CARD)).toBeHidden();
    await expect(page.locator('[data-testid="tool-card"][data-tool="bash"]')).toHaveAttribute("data-state", "ok");
    expect(app.problems).toEqual([]);
  });
});

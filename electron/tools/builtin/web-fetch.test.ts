// web_fetch against a real server on this machine, and its address rules by table.
import http from "node:http";
import type { AddressInfo } from "node:net";
import iconv from "iconv-lite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createManualClock } from "#electron/testkit/manual-clock.ts";
import { openToolbox, type Toolbox } from "#electron/tools/testkit/toolbox.ts";
import { FETCH_MAX_BYTES } from "./fetch-page.ts";
import { renderPage } from "./render-page.ts";
import { hostOf, isNeverFetched, isPlainlyLocal, isPrivateAddress, isSameSite, parseAddress } from "./web-address.ts";
import { FETCH_TIMEOUT_MS, type WebFetchDeps } from "./web-fetch.ts";

type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void;
let box: Toolbox;
let server: http.Server;
let origin = "";
let handle: Handler = () => undefined;
const asked: string[] = [];
const hosts: Record<string, readonly string[]> = {};

/** Every host of the tests is the server on this machine; what it resolves to is what the test says. */
const web: WebFetchDeps = {
  fetch: (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    asked.push(url.hostname);
    return fetch(`${origin}${url.pathname}${url.search}`, init);
  },
  lookup: async (host) => {
    const found = hosts[host];
    if (found === undefined) throw new Error("ENOTFOUND");
    return found;
  },
};

beforeEach(async () => {
  asked.length = 0;
  for (const host of Object.keys(hosts)) delete hosts[host];
  hosts["site.test"] = ["93.184.216.34"];
  hosts["www.site.test"] = ["93.184.216.34"];
  hosts["other.test"] = ["93.184.216.35"];
  server = http.createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  box = await openToolbox({ web });
});
afterEach(async () => {
  await box.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const get = (url: string) => box.run("web_fetch", { url });
const answer =
  (body: string | Buffer, type = "text/html", status = 200): Handler =>
  (_, response) =>
    response.writeHead(status, { "content-type": type }).end(body);
const redirect =
  (to: string, status = 302): Handler =>
  (request, response) =>
    request.url === "/start" ? response.writeHead(status, { location: to }).end() : answer("arrived", "text/plain")(request, response);

describe("pages", () => {
  it("HTML comes as Markdown with whole links, with its title", async () => {
    const words = "Words of the article that are long enough to be taken for its main part. ".repeat(8);
    handle = answer(
      `<html><head><title>The Title</title><script>alert(1)</script></head><body><nav>menu</nav><article><h1>Head</h1><p>${words}<a href="/next">next</a></p><pre><code>x = 1</code></pre><img src="data:image/png;base64,AAAA" alt="a chart"></article></body></html>`,
    );
    const ran = await get("https://site.test/start#part");
    expect(ran.text).toMatch(/^Title: The Title\n\n/);
    expect(ran.text).toContain("[next](https://site.test/next)");
    expect(ran.text).toContain("x = 1");
    expect(ran.text).not.toMatch(/alert|data:image/);
  });

  it.each([
    ["plain text", "a\nb", "text/plain", "a\nb"],
    ["JSON", '{"a":1}', "application/json", '{"a":1}'],
    ["text in its own encoding", iconv.encode("中文 text", "gbk"), "text/plain; charset=gbk", "中文 text"],
    [
      "a page that names its encoding",
      iconv.encode('<html><head><meta charset="shift_jis"></head><body><p>日本語</p></body></html>', "shift_jis"),
      "text/html",
      "日本語",
    ],
    ["a piece of HTML", "<p>only <b>this</b></p>", "text/html", "only **this**"],
    ["a page made by a program", "<html><body><script>x()</script></body></html>", "text/html", "(no text on this page"],
  ])("%s", async (_, body, type, expected) => {
    handle = answer(body, type);
    expect((await get("https://site.test/")).text).toContain(expected);
  });

  it("a binary is named, an error status too", async () => {
    handle = answer(Buffer.from([0, 1]), "application/zip");
    expect((await get("https://site.test/f.zip")).text).toBe(
      "https://site.test/f.zip is application/zip, 2 bytes, and cannot be shown as text. To keep it as a file, download it with a command.",
    );
    handle = answer("no", "text/plain", 404);
    expect((await get("https://site.test/x")).text).toMatch(/answered 404 Not Found\. Check the address/);
  });

  it("a page without end is cut at the limit and not waited for", async () => {
    handle = (_, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const chunk = Buffer.alloc(256 * 1024, 97);
      const more = () => {
        while (response.write(chunk)) if (response.destroyed) return;
        response.once("drain", more);
      };
      more();
    };
    const ran = await get("https://site.test/");
    expect(ran.text).toMatch(/\[The page is longer than 5\.0 MB; the rest was not fetched\.\]$/);
    expect(ran.text.length).toBeLessThan(FETCH_MAX_BYTES + 500);
  });
});

describe("redirects", () => {
  it("within the site are followed, www included", async () => {
    handle = redirect("https://www.site.test/end");
    const { returned } = await get("https://site.test/start");
    expect(returned).toMatchObject({ forModel: [{ text: "arrived", from: "web https://www.site.test/end" }] });
  });

  it.each([
    ["another site", "https://other.test/x", /leads to another site: https:\/\/other\.test\/x/],
    ["this machine", "http://127.0.0.1/admin", /not encrypted/],
    ["this machine, encrypted", "https://localhost/admin", /localhost is on this machine or its private network/],
    ["a private address", "https://192.168.0.1/", /192\.168\.0\.1 is on this machine or its private network/],
    ["the keys of a cloud", "https://169.254.169.254/latest/meta-data", /where machines keep their keys/],
    ["a name of a private address", "https://inside.test/", /inside\.test leads to 10\.0\.0\.5 on a private network/],
    ["a file", "file:///etc/passwd", /redirects to an address that is not fetched/],
    ["nothing that is one", "https://", /redirects to something that is no address/],
    ["a name and password", "https://u:p@site.test/", /redirects to an address that is not fetched/],
  ])("to %s are not", async (_, to, message) => {
    hosts["inside.test"] = ["10.0.0.5"];
    handle = redirect(to);
    expect((await get("https://site.test/start")).text).toMatch(message);
    expect(asked).toHaveLength(1);
  });

  it("in a circle come to an end", async () => {
    handle = (_, response) => response.writeHead(301, { location: "/again" }).end();
    expect((await get("https://site.test/")).text).toMatch(/redirects more than 5 times/);
  });
});

describe("hosts", () => {
  it("a public name that stands for a private address is refused before anything is sent", async () => {
    hosts["rebind.test"] = ["93.184.216.34", "::ffff:127.0.0.1"];
    expect((await get("https://rebind.test/")).returned).toMatchObject({ ok: false, failure: { kind: "permission_denied" } });
    expect(asked).toEqual([]);
  });

  it("the person's own machine can be named, a cloud's keys cannot", async () => {
    handle = answer("dev server", "text/plain");
    expect((await get("http://localhost:3000/")).text).toContain("dev server");
    expect((await get("http://169.254.169.254/")).text).toMatch(/never fetched/);
  });

  it("an unknown host and a refused connection say so", async () => {
    expect((await get("https://gone.test/")).text).toMatch(/could not be found/);
    const broken = await openToolbox({
      web: { ...web, fetch: async () => Promise.reject(new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") })) },
    });
    expect((await broken.run("web_fetch", { url: "https://site.test/" })).text).toMatch(/could not be fetched: connect ECONNREFUSED/);
    await broken.close();
  });

  it("one approval per site: the site is what rules match and what the card shows", async () => {
    const tool = box.tool("web_fetch");
    const input = { url: "https://Docs.Site.test/a?b=1#c" };
    expect([tool.permissionTarget?.(input, box.place), tool.suggestRules?.(input, box.place, undefined), tool.effects(input, box.place, undefined)]).toEqual([
      "domain:docs.site.test",
      ["web_fetch(domain:docs.site.test)"],
      [{ kind: "network", target: "docs.site.test" }],
    ]);
    expect(await tool.askCard?.(input, box.place)).toEqual({
      verb: "fetch_page",
      subject: "docs.site.test",
      detail: { kind: "json", json: '{\n  "url": "https://docs.site.test/a?b=1"\n}' },
    });
  });
});

describe("time", () => {
  it("a page that never comes ends in a time-out, an abort in an abort", async () => {
    const never = await openToolbox({
      web: { ...web, fetch: (_, init) => new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("aborted")))) },
    });
    const clock = createManualClock();
    const timed = never.tool("web_fetch").call({ url: "https://site.test/" }, { ...never.context(), clock }, () => undefined);
    let done = false;
    void timed.then(() => (done = true));
    while (!done) await clock.advance(FETCH_TIMEOUT_MS);
    expect(await timed).toMatchObject({ ok: false, failure: { kind: "timeout" } });
    const stopped = never.run("web_fetch", { url: "https://site.test/" });
    await new Promise((resolve) => setTimeout(resolve, 20));
    never.scope.abort({ by: "person" });
    expect((await stopped).returned).toMatchObject({ ok: false, failure: { kind: "aborted" } });
    await never.close();
  });
});

describe("addresses", () => {
  it.each([
    ["https://a.b/c", true],
    ["http://a.b", true],
    ["HTTPS://A.B", true],
    ["ftp://a.b", false],
    ["file:///etc/passwd", false],
    ["javascript:alert(1)", false],
    ["a.b/c", false],
    ["//a.b", false],
    ["https://u:p@a.b", false],
    ["https://a.b\\@evil.test", false],
    ["https://a.b/\tx", false],
    ["https://a\0.b", false],
    ["https://", false],
    [`https://a.b/${"x".repeat(2_000)}`, false],
  ])("%j: %s", (text, fine) => {
    expect(parseAddress(text).ok).toBe(fine);
  });

  it.each([
    ["127.0.0.1", true],
    ["10.1.2.3", true],
    ["172.31.0.1", true],
    ["172.32.0.1", false],
    ["192.168.1.1", true],
    ["100.64.0.1", true],
    ["0.0.0.0", true],
    ["8.8.8.8", false],
    ["::1", true],
    ["::", true],
    ["fd12::1", true],
    ["fe80::1", true],
    ["::ffff:10.0.0.1", true],
    ["::ffff:a00:1", true],
    ["::ffff:8.8.8.8", false],
    ["64:ff9b::a00:1", true],
    ["64:ff9b::5db8:d822", false],
    ["2606:4700::1111", false],
    ["name", false],
  ])("%s is private: %s", (address, inside) => {
    expect(isPrivateAddress(address)).toBe(inside);
  });

  it("odd spellings of numbers are read as the numbers they are", () => {
    const host = (text: string) => hostOf(new URL(text));
    expect(["http://2130706433/", "http://0x7f.1/", "http://[::1]/", "http://127.1/", "http://localhost./"].map((text) => isPlainlyLocal(host(text)))).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect([
      isNeverFetched("::ffff:169.254.169.254"),
      isPlainlyLocal("example.com"),
      isSameSite(new URL("https://www.a.b"), new URL("http://a.b:8080")),
      isSameSite(new URL("https://a.b"), new URL("https://x.a.b")),
    ]).toEqual([true, false, true, false]);
  });

  it.each([
    [{}, /"url": expected a string/],
    [{ url: "nope" }, /"url": give a whole address/],
    [{ url: 5 }, /got number 5/],
    [{ url: "https://a.b", prompt: "x" }, /unknown field: "prompt"/],
  ])("bad input %j", async (input, message) => {
    expect((await box.run("web_fetch", input)).text).toMatch(message);
  });
});

describe("renderPage", () => {
  it("survives broken and hostile HTML", async () => {
    const started = performance.now();
    for (const html of [
      "",
      "<",
      "<html",
      "<p><b><i>".repeat(5_000),
      "<div>".repeat(400_000),
      "<script>".repeat(100_000),
      "<!--".repeat(100_000),
      "<a b='".repeat(50_000),
      "<a href='http://['>x</a>",
      "<a href='javascript:alert(1)'>x</a>",
      "\0\0",
    ]) {
      const page = await renderPage({ bytes: Buffer.from(html), type: "text/html", url: "https://a.b/" });
      expect(page === undefined || typeof page.text === "string").toBe(true);
    }
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it.each([
    "<html><head><title>T</title></head><body><h1>Hi</h1></body></html>",
    "<html><title>T</title><body class='a'><h1>Hi</h1></body></html>",
    "<!DOCTYPE html>\n<title>T</title>\n<h1>Hi</h1>",
    "<title>T</title><body><h1>Hi</h1>",
    "<HTML lang=en><HEAD><TITLE>T</TITLE><BODY bgcolor=red><H1>Hi</H1>",
    "<header><title>T</title><h1>Hi</h1></header>",
  ])("finds title and text however few tags the page has: %s", async (html) => {
    expect(await renderPage({ bytes: Buffer.from(html), type: "text/html", url: "https://a.b/" })).toEqual({ title: "T", text: "# Hi" });
  });

  it("is not fooled about what is text", async () => {
    expect(await renderPage({ bytes: Buffer.from([0, 1]), type: "", url: "https://a.b/" })).toBeUndefined();
    expect(await renderPage({ bytes: Buffer.from("x"), type: "image/png", url: "https://a.b/" })).toBeUndefined();
    expect(await renderPage({ bytes: Buffer.from("<!doctype html><p>x</p>"), type: "", url: "https://a.b/" })).toEqual({ title: "", text: "x" });
  });
});

import { describe, expect, it } from "vitest";
import { portTransport, waitForPort } from "./port.ts";

describe("waitForPort", () => {
  it("takes the port of this window's own message only", async () => {
    const waiting = waitForPort(window);
    const [right, other, frame] = [new MessageChannel(), new MessageChannel(), new MessageChannel()];
    window.dispatchEvent(new MessageEvent("message", { data: "something", source: window, ports: [other.port1] }));
    window.dispatchEvent(new MessageEvent("message", { data: "cairn-port", source: null, ports: [frame.port1] }));
    window.dispatchEvent(new MessageEvent("message", { data: "cairn-port", source: window, ports: [] }));
    window.dispatchEvent(new MessageEvent("message", { data: "cairn-port", source: window, ports: [right.port1] }));
    expect(await waiting).toBe(right.port1);
    for (const channel of [right, other, frame]) channel.port1.close();
  });

  it("says that it listens, so that the port does not come too early", async () => {
    const heard = new Promise((resolve) => window.addEventListener("message", (event) => event.data === "cairn-ready" && resolve(true)));
    void waitForPort(window);
    expect(await heard).toBe(true);
  });
});

describe("portTransport", () => {
  it("sends and delivers frames, also those that came before it listened", async () => {
    const { port1, port2 } = new MessageChannel();
    const transport = portTransport(port1);
    port2.postMessage("early");
    const got: unknown[] = [];
    const both = new Promise<void>((resolve) =>
      transport.listen(
        (frame) => got.push(frame) === 2 && resolve(),
        () => undefined,
      ),
    );
    port2.postMessage("late");
    await both;
    expect(got).toEqual(["early", "late"]);
    const back = new Promise((resolve) => (port2.onmessage = (event) => resolve(event.data)));
    transport.send({ t: "close", id: 1 });
    expect(await back).toEqual({ t: "close", id: 1 });
    transport.close();
    port2.close();
  });
});

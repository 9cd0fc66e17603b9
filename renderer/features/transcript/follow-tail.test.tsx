import { fireEvent, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { createFakeEngine } from "#renderer/testkit/fake-engine.ts";
import { renderWindow, settle } from "#renderer/testkit/render.tsx";
import { storyOf } from "#renderer/testkit/sample-sessions.ts";
import { CheckpointId } from "#shared/lib/ids.ts";
import { Transcript } from "./transcript.tsx";

async function setUp() {
  const engine = createFakeEngine();
  const log = engine.addSession("s1", "/home/me/work");
  const story = storyOf(log, 1_000);
  for (let at = 0; at < 80; at += 1) {
    story.prompt(`message ${at}`);
    story.say(`answer ${at}`);
  }
  const rendered = await renderWindow(
    <Transcript
      renderCall={() => null}
      onReview={() => undefined}
      onUndoTurn={() => undefined}
      onAct={() => undefined}
      onFork={() => undefined}
      onFindClosed={() => undefined}
      onResend={async () => true}
    />,
    {
      engine,
      session: log.id,
    },
  );
  await settle();
  const list = screen.getByTestId("transcript").querySelector<HTMLElement>("[tabindex='0']");
  if (list === null) throw new Error("no list");
  return { ...rendered, log, story, list };
}
const scroll = (list: HTMLElement, top: number) => {
  list.scrollTop = top;
  fireEvent.scroll(list);
};
const jump = () => screen.queryByText("Jump to latest");

describe("following the end (G02)", () => {
  it("follows what grows while the reader is at the end", async () => {
    const { story, list } = await setUp();
    const before = list.scrollTop;
    for (let at = 0; at < 5; at += 1) story.say(`more ${at}`);
    await settle();
    expect(list.scrollTop).toBeGreaterThan(before);
    expect(jump()).toBeNull();
  });

  it("stays where the reader scrolled up to, whatever grows, until one asks for the latest", async () => {
    const { story, list } = await setUp();
    fireEvent.wheel(list, { deltaY: -300 });
    scroll(list, list.scrollTop - 600);
    await settle();
    const place = list.scrollTop;
    for (let at = 0; at < 5; at += 1) story.say(`more ${at}`);
    await settle();
    expect([list.scrollTop, jump()]).toEqual([place, expect.anything()]);
    await userEvent.click(screen.getByText("Jump to latest"));
    await settle();
    expect(list.scrollTop).toBeGreaterThan(place);
    expect(jump()).toBeNull();
  });

  it("offers no way down when after going back there is nothing left to scroll to", async () => {
    const { log, list } = await setUp();
    fireEvent.wheel(list, { deltaY: -300 });
    scroll(list, 100);
    await settle();
    expect(jump()).not.toBeNull();
    log.append({ v: 1, type: "rolled_back", target: CheckpointId.parse("c"), scope: "conversation", conversationTo: null, files: [], undo: false });
    await settle(100);
    expect(jump()).toBeNull();
  });

  it("does not take movement for the reader's that nobody made", async () => {
    const { list } = await setUp();
    await settle(500);
    scroll(list, list.scrollTop - 600);
    await settle();
    expect(jump()).toBeNull();
  });

  it("goes to the end with one's own new message", async () => {
    const { story, list } = await setUp();
    fireEvent.wheel(list, { deltaY: -300 });
    scroll(list, 100);
    await settle();
    story.prompt("and another thing");
    await settle();
    expect(list.scrollTop).toBeGreaterThan(100);
    expect(jump()).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import { SessionId } from "#shared/lib/ids.ts";
import { commandOfLink, sessionLink } from "#shared/commands/window-command.ts";
import { linkIn } from "./launch-args.ts";
import { createWindowCommands } from "./window-commands.ts";

const session = SessionId.parse("0199-abc");

describe("a link to a conversation", () => {
  it("is found among the arguments, and is nothing else than that", () => {
    const opened = { kind: "open_session", session, link: true };
    expect([commandOfLink(sessionLink(session)), linkIn(["electron", ".", "--x", "CAIRN://session/0199-abc/"])]).toEqual([opened, opened]);
    const others = [
      "cairn://session/",
      "cairn://session/../../etc",
      "cairn://session/a b",
      "cairn://session/a?x=1",
      "cairn://settings",
      "cairn://session/a\ncairn://session/b",
      `cairn://session/${"a".repeat(101)}`,
      "https://session/a",
    ];
    expect(others.filter((link) => commandOfLink(link) !== undefined)).toEqual([]);
  });
});

describe("commands for the window", () => {
  it("wait for the page, the newest only, and reach nobody who left", () => {
    const commands = createWindowCommands();
    const heard: string[] = [];
    commands.send({ kind: "command", id: "new" });
    commands.send({ kind: "command", id: "settings" });
    const following = commands.follow((command) => heard.push(command.kind === "command" ? command.id : command.session));
    commands.send({ kind: "open_session", session, link: false });
    following[Symbol.dispose]();
    commands.send({ kind: "command", id: "keys" });
    expect(heard).toEqual(["settings", session]);
    using _again = commands.follow((command) => heard.push(command.kind === "command" ? command.id : command.session));
    expect(heard.at(-1)).toBe("keys");
  });
});

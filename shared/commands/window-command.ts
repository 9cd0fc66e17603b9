// What reaches the window from outside it: the menu, a notification that was clicked, a link that was followed (U10).
import { z } from "zod";
import { SessionId } from "#shared/lib/ids.ts";
import { CommandId } from "./commands.ts";

export const WindowCommand = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("command"), id: CommandId }),
  /** `link`: it came from a link, so nobody may have known whether there is such a conversation */
  z.object({ kind: z.literal("open_session"), session: SessionId, link: z.boolean() }),
]);
export type WindowCommand = z.infer<typeof WindowCommand>;

const LINK_SCHEME = "cairn";
const LINK = /^cairn:\/\/session\/([A-Za-z0-9_-]{1,100})\/?$/i;

/** Address of a conversation on this computer. */
export function sessionLink(session: SessionId): string {
  return `${LINK_SCHEME}://session/${session}`;
}

/** Undefined for anything that is not exactly such an address. */
export function commandOfLink(link: string): WindowCommand | undefined {
  const session = SessionId.safeParse(LINK.exec(link.trim())?.[1]);
  return session.success ? { kind: "open_session", session: session.data, link: true } : undefined;
}

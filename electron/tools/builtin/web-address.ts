// Which addresses a page may be fetched from, told without touching the network. Pure.
import { BlockList, isIP } from "node:net";
import type { Result } from "#shared/lib/result.ts";
import { err, ok } from "#shared/lib/result.ts";

const MAX_URL_CHARS = 2_000;

/** Own machine, private networks, carriers' networks, multicast and what is reserved. */
const PRIVATE = new BlockList();
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const)
  PRIVATE.addSubnet(net, bits, "ipv4");
for (const [net, bits] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
  ["2002::", 16],
] as const)
  PRIVATE.addSubnet(net, bits, "ipv6");
/** Where clouds keep the keys of a machine; no reason is good enough. */
const NEVER = new BlockList();
NEVER.addSubnet("169.254.0.0", 16, "ipv4");
NEVER.addAddress("fd00:ec2::254", "ipv6");

/** An http(s) address without name and password in it, or why not, for the model. */
export function parseAddress(text: string): Result<URL, string> {
  if (text.length > MAX_URL_CHARS) return err(`the address has more than ${MAX_URL_CHARS} characters`);
  if (!URL_TEXT.test(text)) return err("give a whole address that begins with https:// or http://");
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return err("it is not a valid address");
  }
  if (url.username !== "" || url.password !== "") return err("it holds a name or password, which would be sent along; leave it out");
  if (url.hostname === "") return err("it names no host");
  url.hash = "";
  return ok(url);
}
// Control characters and blanks are dropped by the parser, so the host would not be the one that is read.
const URL_TEXT = /^https?:\/\/[^\s\u0000-\u001f\u007f\\]+$/i;

/** `[::1]` → `::1`; a dot at the end says nothing. */
export function hostOf(url: URL): string {
  return url.hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
}

/** The person can see that a name or number means their own machine or network. */
export function isPlainlyLocal(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || (isIP(host) !== 0 && isPrivateAddress(host));
}

export function isPrivateAddress(address: string): boolean {
  return within(PRIVATE, address);
}

export function isNeverFetched(address: string): boolean {
  return within(NEVER, address);
}

function within(list: BlockList, address: string): boolean {
  const mapped = mappedV4(address);
  if (mapped !== undefined) return list.check(mapped, "ipv4");
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? "ipv4" : "ipv6");
}

/** `::ffff:10.0.0.1`, `::ffff:a00:1` and, in networks without IPv4, `64:ff9b::a00:1` are the IPv4 address that they hold. */
function mappedV4(address: string): string | undefined {
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (dotted !== undefined) return dotted;
  const match = /^(?:::ffff|64:ff9b:):([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address);
  if (match === null) return undefined;
  const [high, low] = [Number.parseInt(match[1] ?? "0", 16), Number.parseInt(match[2] ?? "0", 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** The same site: an approval for one counts for the other. */
export function isSameSite(a: URL, b: URL): boolean {
  const bare = (url: URL) => hostOf(url).replace(/^www\./, "");
  return bare(a) === bare(b);
}

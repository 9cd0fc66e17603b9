// Failures below HTTP: no connection, a broken one, no trust. By the codes of Node, undici and Chromium's network stack.
import { isObject } from "#electron/providers/wire/call-input.ts";
import type { ProviderFailure } from "#electron/providers/contract.ts";

type Known = Pick<ProviderFailure, "kind" | "retryable"> & { readonly say: (host: string) => string };

const refused: Known = { kind: "network", retryable: true, say: (host) => `nothing answers at ${host}: the connection was refused` };
const reset: Known = { kind: "network", retryable: true, say: (host) => `${host} broke the connection` };
const unknownHost: Known = { kind: "network", retryable: true, say: (host) => `the name ${host} cannot be found` };
const unreachable: Known = { kind: "network", retryable: true, say: (host) => `${host} cannot be reached from this network` };
const connectTimeout: Known = { kind: "network", retryable: true, say: (host) => `${host} did not accept a connection in time` };
const silent: Known = { kind: "timeout", retryable: true, say: (host) => `${host} did not answer in time` };
const untrusted: Known = {
  kind: "network",
  retryable: false,
  say: (host) => `the certificate of ${host} is not trusted; check the address, the clock, or the certificates of your proxy`,
};
const noTls: Known = { kind: "network", retryable: false, say: (host) => `${host} does not speak TLS as expected; check http:// or https:// in the base URL` };
const noHttp: Known = { kind: "protocol", retryable: false, say: (host) => `${host} does not answer as a web server should` };
const circling: Known = { kind: "protocol", retryable: false, say: (host) => `${host} only sends on to other addresses, without end` };
const wrongUrl: Known = { kind: "bad_request", retryable: false, say: () => "the base URL is not a valid web address" };

const BY_CODE: Readonly<Record<string, Known>> = {
  ECONNREFUSED: refused,
  "net::ERR_CONNECTION_REFUSED": refused,
  ECONNRESET: reset,
  EPIPE: reset,
  ECONNABORTED: reset,
  UND_ERR_SOCKET: reset,
  ERR_STREAM_PREMATURE_CLOSE: reset,
  "net::ERR_CONNECTION_RESET": reset,
  "net::ERR_CONNECTION_CLOSED": reset,
  "net::ERR_CONNECTION_ABORTED": reset,
  "net::ERR_EMPTY_RESPONSE": reset,
  "net::ERR_INCOMPLETE_CHUNKED_ENCODING": reset,
  "net::ERR_CONTENT_LENGTH_MISMATCH": reset,
  "net::ERR_NETWORK_CHANGED": reset,
  "net::ERR_HTTP2_PROTOCOL_ERROR": reset,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  "net::ERR_NAME_NOT_RESOLVED": unknownHost,
  ENETUNREACH: unreachable,
  EHOSTUNREACH: unreachable,
  ENETDOWN: unreachable,
  "net::ERR_INTERNET_DISCONNECTED": unreachable,
  "net::ERR_ADDRESS_UNREACHABLE": unreachable,
  "net::ERR_PROXY_CONNECTION_FAILED": { kind: "network", retryable: true, say: () => "the system proxy cannot be reached" },
  UND_ERR_CONNECT_TIMEOUT: connectTimeout,
  "net::ERR_CONNECTION_TIMED_OUT": connectTimeout,
  ETIMEDOUT: connectTimeout,
  UND_ERR_HEADERS_TIMEOUT: silent,
  UND_ERR_BODY_TIMEOUT: silent,
  "net::ERR_TIMED_OUT": silent,
  UND_ERR_HEADERS_OVERFLOW: noHttp,
  Z_DATA_ERROR: noHttp,
  Z_BUF_ERROR: noHttp,
  "net::ERR_INVALID_HTTP_RESPONSE": noHttp,
  "net::ERR_CONTENT_DECODING_FAILED": noHttp,
  "net::ERR_RESPONSE_HEADERS_TOO_BIG": noHttp,
  REDIRECTS: circling,
  "net::ERR_TOO_MANY_REDIRECTS": circling,
  EPROTO: noTls,
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  "net::ERR_SSL_PROTOCOL_ERROR": noTls,
  ERR_INVALID_URL: wrongUrl,
  "net::ERR_INVALID_URL": wrongUrl,
};

const CERTIFICATE = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT|HOSTNAME_MISMATCH|net::ERR_CERT_)/;

/** Failure of an error thrown by `fetch` or while its body was read; looks through causes for the first code it knows. */
export function connectionFailure(error: unknown, host: string): ProviderFailure {
  const codes = codesOf(error);
  for (const code of codes) {
    const known = BY_CODE[code] ?? byKind(code);
    if (known !== undefined) return { kind: known.kind, retryable: known.retryable, code, message: `${known.say(host)} (${code})` };
  }
  const [first] = codes;
  const words = messageOf(error);
  return {
    kind: "network",
    retryable: true,
    ...(first === undefined ? {} : { code: first }),
    message: `the connection to ${host} failed${words === "" ? "" : `: ${words}`}`,
  };
}

function byKind(code: string): Known | undefined {
  if (CERTIFICATE.test(code)) return untrusted;
  return code.startsWith("HPE_") ? noHttp : undefined;
}

const MAX_CAUSES = 6;

function codesOf(error: unknown): readonly string[] {
  const codes: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && isErrorLike(current); depth += 1) {
    if (typeof current["code"] === "string") codes.push(current["code"]);
    const chromium = /net::ERR_[A-Z0-9_]+/.exec(messageOf(current))?.[0];
    if (chromium !== undefined) codes.push(chromium);
    if (/invalid url|failed to parse url/i.test(messageOf(current))) codes.push("ERR_INVALID_URL");
    if (/redirect count exceeded/i.test(messageOf(current))) codes.push("REDIRECTS");
    // One error for each address that was tried hides the code in a list.
    const inner: unknown = Array.isArray(current["errors"]) ? current["errors"][0] : undefined;
    current = current["cause"] ?? inner;
  }
  return codes;
}

function isErrorLike(value: unknown): value is Readonly<Record<string, unknown>> {
  return value instanceof Error || isObject(value);
}

function messageOf(error: unknown): string {
  return isErrorLike(error) && typeof error["message"] === "string" ? error["message"] : "";
}

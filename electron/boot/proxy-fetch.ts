// fetch for the headless command where the environment names a proxy; the window uses the system's own network stack instead.

const PROXY_NAMES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

/** undefined: nothing to do, Node's own fetch serves. The proxy library is loaded only where one is named. */
export function proxyFetch(environment: Readonly<Record<string, string | undefined>>): typeof globalThis.fetch | undefined {
  if (!PROXY_NAMES.some((name) => (environment[name] ?? "") !== "")) return undefined;
  const loaded = import("undici").then(({ EnvHttpProxyAgent, fetch }) => ({ dispatcher: new EnvHttpProxyAgent(), fetch }));
  loaded.catch(() => {}); // told by the first request
  return async (input, init) => {
    const { dispatcher, fetch } = await loaded;
    const response: unknown = await Reflect.apply(fetch, undefined, [input, { ...init, dispatcher }]);
    if (isResponse(response)) return response;
    throw new TypeError("the proxy answered with nothing");
  };
}

function isResponse(value: unknown): value is Response {
  return typeof value === "object" && value !== null && "status" in value && "headers" in value;
}

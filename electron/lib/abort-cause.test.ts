import { expect, it } from "vitest";
import { abortCauseOf } from "./abort-cause.ts";

it.each<[unknown, unknown]>([
  [{ by: "sibling" }, { by: "sibling" }],
  [
    { by: "tool_timeout", detail: "30 s" },
    { by: "tool_timeout", detail: "30 s" },
  ],
  [{ by: "nobody" }, { by: "person" }],
  [new Error("x"), { by: "person" }],
  [undefined, { by: "person" }],
])("the cause of %j is %j", (reason, cause) => {
  const controller = new AbortController();
  controller.abort(reason);
  expect(abortCauseOf(controller.signal)).toEqual(cause);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { isOpen, nextOpenDay } from "../src/opening.js";

test("is closed on Sundays", () => {
  assert.equal(isOpen(new Date("2026-03-01T00:00:00Z")), false);
});

test("opens again on Monday", () => {
  assert.equal(nextOpenDay(new Date("2026-03-01T00:00:00Z")).toISOString().slice(0, 10), "2026-03-02");
});

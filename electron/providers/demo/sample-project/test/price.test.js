import assert from "node:assert/strict";
import { test } from "node:test";
import { discounted, formatPrice, total } from "../src/price.js";

test("adds up the lines of an order", () => {
  assert.equal(total([{ cents: 250, count: 2 }, { cents: 120, count: 1 }]), 620);
});

test("takes 20 percent off", () => {
  assert.equal(discounted(1000, 20), 800);
});

test("shows cents as euros", () => {
  assert.equal(formatPrice(1250), "12.50 €");
});

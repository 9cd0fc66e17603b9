import { readFile } from "node:fs/promises";
import { discounted, formatPrice, total } from "./price.js";

const read = async (name) => JSON.parse(await readFile(new URL(`../data/${name}.json`, import.meta.url), "utf8"));

const products = await read("products");
const orders = await read("orders");
const priceOf = new Map(products.map((product) => [product.id, product.cents]));

for (const order of orders) {
  const lines = order.lines.map((line) => ({ cents: priceOf.get(line.product) ?? 0, count: line.count }));
  const cents = discounted(total(lines), order.discountPercent);
  console.log(`${order.date}  ${order.customer.padEnd(8)}  ${formatPrice(cents)}`);
}

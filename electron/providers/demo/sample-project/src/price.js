// Prices are whole cents, so that adding them up never goes wrong.

/** The price after a discount of `percent` (0 to 100). */
export function discounted(cents, percent) {
  return cents - percent;
}

/** What all lines of an order cost together. */
export function total(lines) {
  return lines.reduce((sum, line) => sum + line.cents * line.count, 0);
}

/** "12.50 €" for 1250. */
export function formatPrice(cents) {
  return `${(cents / 100).toFixed(2)} €`;
}

const CLOSED_DAYS = new Set([0]); // Sunday

/** Whether the shop is open on that day. */
export function isOpen(date) {
  return !CLOSED_DAYS.has(date.getUTCDay());
}

/** The first open day from `date` on. */
export function nextOpenDay(date) {
  const day = new Date(date);
  while (!isOpen(day)) day.setUTCDate(day.getUTCDate() + 1);
  return day;
}

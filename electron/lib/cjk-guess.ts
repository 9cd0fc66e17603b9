// Tells short Chinese and Japanese texts from western ones by their bytes; statistics need more text than a comment line has.

/** Share of the two-byte characters that everyday texts are made of. */
const MIN_COMMON = 0.8;

type Reading = { readonly pairs: number; readonly common: number };

/** `gb18030`, `shift_jis`, or undefined when the bytes look like neither. */
export function guessCjk(bytes: Uint8Array): "gb18030" | "shift_jis" | undefined {
  const japanese = shareOf(read(bytes, shiftJisPair));
  const chinese = shareOf(read(bytes, gbPair));
  if (Math.max(japanese, chinese) < MIN_COMMON) return undefined;
  return japanese > chinese ? "shift_jis" : "gb18030";
}

function shareOf(reading: Reading | undefined): number {
  return reading === undefined || reading.pairs === 0 ? 0 : reading.common / reading.pairs;
}

type Pair = { readonly length: 1 | 2; readonly common: boolean };

/** Undefined as soon as the bytes break the encoding's rules. */
function read(bytes: Uint8Array, pairAt: (lead: number, trail: number) => Pair | undefined): Reading | undefined {
  let pairs = 0;
  let common = 0;
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    const pair = pairAt(lead, bytes[at + 1] ?? 0);
    if (pair === undefined) return undefined;
    pairs++;
    if (pair.common) common++;
    at += pair.length - 1;
  }
  return { pairs, common };
}

/** Common: the punctuation rows and the first level of GB 2312, the 3 755 hanzi that make up nearly every text. */
function gbPair(lead: number, trail: number): Pair | undefined {
  if (lead < 0x81 || lead > 0xfe || trail < 0x30 || trail === 0x7f || trail === 0xff) return undefined;
  const row = (lead >= 0xa1 && lead <= 0xa3) || (lead >= 0xb0 && lead <= 0xd7);
  return { length: 2, common: row && trail >= 0xa1 };
}

/** Common: punctuation, kana and the first level of kanji. */
function shiftJisPair(lead: number, trail: number): Pair | undefined {
  if (lead >= 0xa1 && lead <= 0xdf) return { length: 1, common: false };
  const isLead = (lead >= 0x81 && lead <= 0x9f) || (lead >= 0xe0 && lead <= 0xfc);
  if (!isLead || trail < 0x40 || trail === 0x7f || trail > 0xfc) return undefined;
  return { length: 2, common: lead <= 0x83 || (lead >= 0x88 && lead <= 0x97) };
}

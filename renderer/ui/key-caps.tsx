// Keys as caps. A screen reader hears them as one text.
import { chordText } from "#shared/commands/chord.ts";

export function KeyCaps({ chord, mac, none }: { readonly chord: string; readonly mac: boolean; readonly none: string }) {
  if (chord === "") return <span className="text-small text-ink-3">{none}</span>;
  return <kbd className="rounded-sm border border-line bg-sunken px-1.5 py-0.5 font-sans text-small whitespace-nowrap text-ink-2">{chordText(chord, mac)}</kbd>;
}

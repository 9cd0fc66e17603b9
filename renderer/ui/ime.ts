// Whether a key press belongs to an input method. While it does, it must not send, choose or close anything (U8).
type KeyPress = { readonly key: string; readonly keyCode: number; readonly nativeEvent?: { readonly isComposing?: boolean }; readonly isComposing?: boolean };

/** Key code of every key press that an input method has taken, also right after the composition ended. */
const IME_KEY_CODE = 229;

export function isImeKey(event: KeyPress): boolean {
  return event.isComposing === true || event.nativeEvent?.isComposing === true || event.keyCode === IME_KEY_CODE || event.key === "Process";
}

/** Enter that means "done": not part of a composition, not with a modifier that asks for a new line. */
export function isPlainEnter(event: KeyPress & { readonly shiftKey: boolean; readonly altKey: boolean }): boolean {
  return event.key === "Enter" && !event.shiftKey && !event.altKey && !isImeKey(event);
}

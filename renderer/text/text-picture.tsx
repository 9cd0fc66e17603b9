// How a picture of the person's folder gets into a text: one function, given by the window. Without one there are only its words.
import { createContext, type ReactNode, useContext } from "react";

export type DrawPicture = (path: string, alt: string) => ReactNode;

const TextPicture = createContext<DrawPicture>((_path, alt) => alt);

export const TextPictureProvider = TextPicture.Provider;

export function FolderImage({ path, alt }: { readonly path: string; readonly alt: string }) {
  return <>{useContext(TextPicture)(path, alt === "" ? path : alt)}</>;
}

/** The path that a picture's address names in the folder; undefined: it leads elsewhere. */
export function picturePath(address: string): string | undefined {
  const local = /^file:\/\/\/(?=[^/])/i.test(address) ? address.replace(/^file:\/\/(\/(?=[a-z]:))?/i, "") : address;
  if (/^(?:[a-z][a-z\d+.-]+:|[\\/]{2}|#|$)/i.test(local)) return undefined;
  try {
    return decodeURIComponent(local);
  } catch {
    return local;
  }
}

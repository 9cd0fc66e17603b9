// How a link leaves the app: one function, given by the window, used wherever text has links.
import { createContext, useContext } from "react";

const OpenLink = createContext<(url: string) => void>(() => undefined);

export const OpenLinkProvider = OpenLink.Provider;

export function useOpenLink(): (url: string) => void {
  return useContext(OpenLink);
}

// The window's texts. Every catalogue file of shared/i18n is a namespace; `window` is the default one.
import i18next, { type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import { z } from "zod";
import type { Language } from "#shared/i18n/language.ts";
import type { Notice } from "#shared/loop/turn-end.ts";

const CATALOGUES = import.meta.glob("#shared/i18n/*.json", { eager: true, import: "default" });
const FILE_NAME = /([\w-]+)\.(en|zh-CN)\.json$/;

type Texts = { readonly [key: string]: string | Texts };
const Texts: z.ZodType<Texts> = z.record(
  z.string(),
  z.lazy(() => z.union([z.string(), Texts])),
);

type Catalogue = { readonly area: string; readonly language: Language; readonly texts: Texts };

/** All catalogues, parsed; a file that is none is left out. */
export function readCatalogues(): readonly Catalogue[] {
  return Object.entries(CATALOGUES).flatMap(([path, content]) => {
    const [, area, language] = FILE_NAME.exec(path) ?? [];
    const texts = Texts.safeParse(content);
    if (area === undefined || !texts.success) return [];
    return [{ area, language: language === "zh-CN" ? "zh-CN" : "en", texts: texts.data } satisfies Catalogue];
  });
}

/** A translator with every area loaded; switch it with `changeLanguage`. */
export async function createI18n(language: Language): Promise<i18n> {
  const instance = i18next.createInstance();
  const catalogues = readCatalogues();
  const resources: Record<string, Record<string, Texts>> = {};
  for (const { area, language: of, texts } of catalogues) resources[of] = { ...resources[of], [area]: texts };
  await instance.use(initReactI18next).init({
    lng: language,
    fallbackLng: "en",
    defaultNS: "window",
    fallbackNS: [...new Set(catalogues.map(({ area }) => area))],
    resources,
    // React escapes already; escaping twice shows &amp; to people.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  return instance;
}

/** The words of a notice. The engine's keys begin with their catalogue (`notices.stopped`), the window's own do not. */
export function noticeText(t: (key: string[], options: Record<string, unknown>) => string, notice: Notice): string {
  const [area = "", ...rest] = notice.key.split(".");
  return t([`${area}:${rest.join(".")}`, notice.key], { ...notice.params, defaultValue: t(["notice.unknown"], { key: notice.key }) });
}

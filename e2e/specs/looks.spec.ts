// Pictures of the main screens in every look and two sizes (U2): told only when pictures are wanted.
import { test } from "@playwright/test";
import { askedTour } from "#e2e/asked-tour.ts";
import { type App, picture } from "#e2e/driver.ts";
import { tour } from "#e2e/tour.ts";

const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const;

for (const theme of ["light", "dark"] as const) {
  for (const language of ["en", "zh-CN"] as const) {
    const take = async (app: App, screen: string): Promise<void> => {
      for (const size of SIZES) {
        await app.page.setViewportSize(size);
        await picture(app, `${screen}-${theme}-${language}-${size.width}`);
      }
      await app.page.setViewportSize(SIZES[0]);
    };
    test(`the main screens in ${theme}, ${language} @pictures`, () => tour({ theme, language }, take));
    test(`questions and plans in ${theme}, ${language} @pictures`, () => askedTour({ theme, language }, take));
  }
}

// npm run pictures: the pictures of the documentation, in both themes and languages.
import { prepare } from "./app.mjs";
import { tell } from "./demo.mjs";
import { main } from "./process.mjs";

const PICTURES_MS = 600_000;

await main(async () => {
  await prepare({ virtualDisplay: process.platform === "linux" });
  return tell("@pictures", { virtual: process.platform === "linux", timeoutMs: PICTURES_MS });
});

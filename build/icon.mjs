// Draws icons/icon.png from icons/icon.svg with the Chromium of our own Electron: `node build/icon.mjs`, needed only after a change.
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { withDisplay } from "./display.mjs";
import { resolveElectron, sandboxArgs } from "./electron-path.mjs";
import { ROOT } from "./process.mjs";

const SIZE = 512;
const at = (file) => path.join(ROOT, "build/icons", file);

/** An Electron program that shows the picture on nothing and hands it back. */
const program = `
const { app, BrowserWindow } = require("electron");
app.disableHardwareAcceleration();
app.whenReady().then(() => new BrowserWindow({ width: ${SIZE}, height: ${SIZE}, frame: false, transparent: true, useContentSize: true }).loadURL("about:blank"));
`;

const { _electron } = await import("playwright");
const electron = await resolveElectron();
const svg = await readFile(at("icon.svg"), "utf8");
const scratch = path.join(ROOT, "out/draw-icon.cjs");
await writeFile(scratch, program);
await withDisplay(async (env) => {
  const app = await _electron.launch({ executablePath: electron.executable, args: [...sandboxArgs(), scratch], env: { ...process.env, ...env } });
  try {
    const page = await app.firstWindow();
    const encoded = await page.evaluate(
      async ({ source, size }) => {
        const image = new Image();
        image.src = `data:image/svg+xml;base64,${btoa(source)}`;
        await image.decode();
        const canvas = new OffscreenCanvas(size, size);
        canvas.getContext("2d")?.drawImage(image, 0, 0, size, size);
        const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer());
        return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
      },
      { source: svg, size: SIZE },
    );
    await writeFile(at("icon.png"), Buffer.from(encoded, "base64"));
  } finally {
    await app.close();
  }
});

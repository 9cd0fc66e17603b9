// Called by electron-builder when the folder is packed and not yet closed: takes out the start file of the fallback runtime.
import { rm } from "node:fs/promises";
import path from "node:path";

export async function afterPack({ appOutDir }) {
  await rm(path.join(appOutDir, "resources/default_app.asar"), { force: true });
}

export default afterPack;

// npm run package [-- dir|tar.gz|zip|deb|AppImage …] [--allow-fallback-for-trial]: makes what is handed out, in release/.
import { chmod } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { ensureBuilt } from "./build.mjs";
import { resolveElectron } from "./electron-path.mjs";
import { ensureInstalled } from "./install.mjs";
import { writeNotices } from "./licences.mjs";
import { main, ROOT, runBin } from "./process.mjs";

const PACKAGE_MS = 900_000;
const TRIAL = "--allow-fallback-for-trial";
const TARGETS = ["dir", "tar.gz", "zip", "deb", "AppImage"];

/** The targets asked for; without any the tar.gz and the deb, which need no download. */
export function chosenTargets(args) {
  const chosen = args.filter((argument) => argument !== TRIAL);
  const unknown = chosen.filter((target) => !TARGETS.includes(target));
  if (unknown.length > 0) throw new Error(`There is no target ${unknown.join(", ")}; choose from ${TARGETS.join(", ")}.`);
  return chosen.length > 0 ? chosen : ["tar.gz", "deb"];
}

/** Tools that electron-builder would download, from packages that are here already. */
async function offlineTools() {
  const sevenZip = createRequire(import.meta.url)("7zip-bin").path7za;
  await chmod(sevenZip, 0o755);
  return {
    ELECTRON_BUILDER_7ZIP_PATH: sevenZip,
    ELECTRON_BUILDER_COMPRESSION_LEVEL: "5",
    ...(process.platform === "linux" ? { CUSTOM_FPM_PATH: path.join(ROOT, "build/fpm-deb.mjs") } : {}),
  };
}

async function makePackage(args) {
  const targets = chosenTargets(args);
  const trial = args.includes(TRIAL);
  await ensureInstalled();
  const electron = await resolveElectron({ allowFallback: trial });
  if (electron.source === "fallback") console.error("This package is for a trial on this machine only: do not hand it out.");
  await ensureBuilt();
  await writeNotices();
  const fixed = [`-c.electronDist=${electron.dist}`, `-c.electronVersion=${electron.version}`, "--publish", "never"];
  const { code } = await runBin(
    "electron-builder",
    ["--config", "electron-builder.yml", ...(process.platform === "linux" ? ["--linux", ...targets] : []), ...fixed],
    {
      env: await offlineTools(),
      timeoutMs: PACKAGE_MS,
      show: true,
    },
  );
  return code;
}

if (process.argv[1] === import.meta.filename) await main(() => makePackage(process.argv.slice(2)));

// The start file inside the fallback runtime's default_app.asar: does for `electron <app>` what Electron's own default app does.
// It lies in an archive and not in resources/app, because a packager would copy that folder and it would win over the real app.
const { existsSync, readFileSync } = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const { app } = require("electron");

process.defaultApp = true;
const target = process.argv.slice(1).find((argument) => !argument.startsWith("-"));

function describe(folder) {
  const file = path.join(folder, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

function load(place) {
  const isFile = /\.[cm]?js$/.test(place);
  const folder = isFile ? path.dirname(place) : place;
  const facts = describe(folder);
  if (facts.productName || facts.name) app.setName(facts.productName ?? facts.name);
  if (facts.version) app.setVersion(facts.version);
  if (facts.desktopName) app.setDesktopName(facts.desktopName);
  app.setAppPath(folder);
  Module._load(isFile ? place : path.join(folder, facts.main ?? "index.js"), Module, true);
}

if (target === undefined) {
  process.stderr.write("Usage: electron <folder or main file>\n");
  app.exit(1);
} else {
  load(path.resolve(target));
}

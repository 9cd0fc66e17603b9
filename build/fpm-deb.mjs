#!/usr/bin/env node
// Stands in for fpm, which electron-builder would fetch from a site that is not reachable everywhere: understands just what it is
// asked for a .deb and hands it to dpkg-deb.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const SCRIPTS = { "after-install": "postinst", "after-remove": "postrm", "before-install": "preinst", "before-remove": "prerm" };

/** fpm's options and the `from=to` pairs at its end. */
function parse(argv) {
  const options = new Map();
  const pairs = [];
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index];
    const name =
      { "-s": "source", "-t": "target", "-p": "package", "-d": "depends", "-C": "chdir", "-v": "version", "-n": "name" }[argument] ??
      argument.replace(/^--/, "");
    if (!argument.startsWith("-")) pairs.push(argument.split("="));
    else if (name === "force" || name === "no-auto-depends") options.set(name, ["true"]);
    else options.set(name, [...(options.get(name) ?? []), argv[++index]]);
  }
  return { options, pairs };
}

const { options, pairs } = parse(process.argv.slice(2));
const one = (name, otherwise = "") => options.get(name)?.at(-1) ?? otherwise;
const root = mkdtempSync(path.join(os.tmpdir(), "cairn-deb-"));
try {
  for (const [from, to] of pairs) {
    const target = path.join(root, to.endsWith("/") ? path.join(to, path.basename(from)) : to);
    mkdirSync(path.dirname(target), { recursive: true });
    cpSync(from.replace(/\/$/, ""), target.replace(/\/$/, ""), { recursive: true, verbatimSymlinks: true });
  }
  const control = {
    Package: one("name"),
    Version: one("version").replace("-", "~"),
    Section: one("category", "devel"),
    Priority: "optional",
    Architecture: one("architecture", "amd64"),
    Maintainer: one("maintainer"),
    Depends: (options.get("depends") ?? []).join(", "),
    Homepage: one("url"),
    Description: one("description").replaceAll("\n", "\n "),
  };
  mkdirSync(path.join(root, "DEBIAN"));
  const lines = Object.entries(control).flatMap(([key, value]) => (value === "" ? [] : [`${key}: ${value}`]));
  writeFileSync(path.join(root, "DEBIAN/control"), `${lines.join("\n")}\n`);
  for (const [option, script] of Object.entries(SCRIPTS)) {
    if (one(option) === "") continue;
    cpSync(one(option), path.join(root, "DEBIAN", script));
    chmodSync(path.join(root, "DEBIAN", script), 0o755);
  }
  chmodSync(root, 0o755);
  execFileSync("dpkg-deb", ["--root-owner-group", "--build", "-Zxz", "-z1", root, one("package")], { stdio: "inherit" });
} finally {
  rmSync(root, { recursive: true, force: true });
}

// What the oldest supported Electron lacks in its main process; imported first by main.ts.
import { webcrypto } from "node:crypto";
import { File as NodeFile } from "node:buffer";

if (!("crypto" in globalThis)) Object.defineProperty(globalThis, "crypto", { value: webcrypto, configurable: true });
if (!("File" in globalThis)) Object.defineProperty(globalThis, "File", { value: NodeFile, configurable: true });
for (const name of ["dispose", "asyncDispose"] as const) {
  if (!(name in Symbol)) Object.defineProperty(Symbol, name, { value: Symbol.for(`Symbol.${name}`) });
}

// First import of the window: what Chromium 114 lacks, and what the CSP forbids zod to try.
import { z } from "zod";

// zod would probe `new Function`, which the CSP reports as an attack.
z.config({ jitless: true });

if (!Object.hasOwn(Symbol, "dispose")) Object.defineProperty(Symbol, "dispose", { value: Symbol.for("Symbol.dispose") });

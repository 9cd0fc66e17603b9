// Model names that a provider told us at the last test of its key, so that the picker can offer them without asking again.
import { z } from "zod";
import { ProviderId } from "#shared/settings/settings.ts";

export const KnownModels = z.partialRecord(ProviderId, z.array(z.string()));
export type KnownModels = z.infer<typeof KnownModels>;

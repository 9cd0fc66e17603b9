// Pictures of the conversation and of its folder, small at first; they grow on a click (U3, U4). The bytes come from the main process.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { cx } from "#renderer/ui/class-names.ts";
import { Picture } from "#renderer/ui/picture.tsx";

export function SessionPicture({ picture, mediaType }: { readonly picture: string; readonly mediaType: string }) {
  const { t } = useTranslation();
  const { client } = useServices();
  const session = useSession((state) => state.view.session);
  return (
    <GrowingPicture
      id={picture}
      mediaType={mediaType}
      alt={t("picture.alt")}
      load={async (signal) => {
        const got = await client.attachments.ofSession({ session, ref: picture }, signal);
        return got.ok ? (got.value.base64 ?? undefined) : undefined;
      }}
    />
  );
}

const TYPES: Readonly<Record<string, string>> = { png: "image/png", jpg: "image/jpeg", jpeg: "image/jpeg", gif: "image/gif", webp: "image/webp" };

/** What is no picture by its name stays its words. */
export function FolderPicture({ path, alt }: { readonly path: string; readonly alt: string }) {
  const { client } = useServices();
  const session = useSession((state) => state.view.session);
  const mediaType = TYPES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ""];
  if (mediaType === undefined) return <>{alt}</>;
  return (
    <GrowingPicture
      id={`${session}/${path}`}
      mediaType={mediaType}
      alt={alt}
      load={async (signal) => {
        const got = await client.files.picture({ session, path }, signal);
        return got.ok ? (got.value.base64 ?? undefined) : undefined;
      }}
    />
  );
}

type GrowingPictureProps = Pick<Parameters<typeof Picture>[0], "id" | "mediaType" | "alt" | "load">;

function GrowingPicture(props: GrowingPictureProps) {
  const { t } = useTranslation();
  const [large, setLarge] = useState(false);
  return (
    <button
      type="button"
      aria-label={`${props.alt}: ${t(large ? "picture.smaller" : "picture.larger")}`}
      aria-expanded={large}
      className="block max-w-full overflow-hidden rounded-md border border-line"
      onClick={() => setLarge(!large)}
      data-testid="session-picture"
    >
      <Picture {...props} className={cx("block min-h-6 min-w-6 max-w-full", large ? "max-h-[80vh]" : "max-h-40")} />
    </button>
  );
}

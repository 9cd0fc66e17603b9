// A picture of the conversation, small at first; it grows on a click (U4). The bytes come from the session's own data.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { cx } from "#renderer/ui/class-names.ts";
import { Picture } from "#renderer/ui/picture.tsx";

export function SessionPicture({ picture, mediaType }: { readonly picture: string; readonly mediaType: string }) {
  const { t } = useTranslation();
  const { client } = useServices();
  const session = useSession((state) => state.view.session);
  const [large, setLarge] = useState(false);
  return (
    <button
      type="button"
      aria-label={t(large ? "picture.smaller" : "picture.larger")}
      aria-expanded={large}
      className="block max-w-full overflow-hidden rounded-md border border-line"
      onClick={() => setLarge(!large)}
      data-testid="session-picture"
    >
      <Picture
        id={picture}
        mediaType={mediaType}
        alt={t("picture.alt")}
        className={cx("block min-h-6 min-w-6 max-w-full", large ? "max-h-[80vh]" : "max-h-40")}
        load={async (signal) => {
          const got = await client.attachments.ofSession({ session, ref: picture }, signal);
          return got.ok ? (got.value.base64 ?? undefined) : undefined;
        }}
      />
    </button>
  );
}

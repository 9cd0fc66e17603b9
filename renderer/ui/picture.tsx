// A picture whose bytes are asked for when it is shown. It is only ever drawn: nothing of it runs or loads (R1).
import { useEffect, useLayoutEffect, useRef, useState } from "react";

type PictureProps = {
  /** stands for the bytes; another one loads anew */
  readonly id: string;
  readonly mediaType: string;
  readonly alt: string;
  readonly className: string;
  /** base64; undefined: it is not there */
  readonly load: (signal: AbortSignal) => Promise<string | undefined>;
};

const DRAWN: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export function Picture({ id, mediaType, alt, className, load }: PictureProps) {
  const [source, setSource] = useState<{ readonly id: string; readonly url: string | undefined }>();
  // Made anew with each drawing; it always gives the bytes of `id`.
  const latest = useRef(load);
  useLayoutEffect(() => {
    latest.current = load;
  });
  useEffect(() => {
    const abort = new AbortController();
    void latest.current(abort.signal).then((base64) => {
      if (!abort.signal.aborted) setSource({ id, url: base64 === undefined ? undefined : `data:${mediaType};base64,${base64}` });
    });
    return () => abort.abort();
  }, [id, mediaType]);
  if (source?.id === id && source.url === undefined) return <span className="px-1.5 py-0.5 text-small text-ink-3">{alt}</span>;
  if (!DRAWN.has(mediaType) || source?.id !== id || source.url === undefined)
    return <span role="img" aria-label={alt} className={`${className} inline-block bg-line-soft`} />;
  return <img src={source.url} alt={alt} className={className} draggable={false} />;
}

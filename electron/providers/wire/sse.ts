// Server-sent events from chunks of bytes. Knows nothing of any vendor; comments (keep-alives) yield no event.

export type SseEvent = { readonly name: string; readonly data: string };

/** More than any reply in one line; a server that sends it is broken or hostile. */
const MAX_PENDING_CHARS = 32 * 1024 * 1024;

export interface SseDecoder {
  /** Events that this chunk completed. Throws RangeError when one event grows without end. */
  push(bytes: Uint8Array): readonly SseEvent[];
  /** What was complete but for its last blank line when the stream ended. */
  end(): readonly SseEvent[];
}

export function createSseDecoder(): SseDecoder {
  const decoder = new TextDecoder();
  let pending = "";
  let name = "";
  let data: string[] = [];

  const takeLine = (line: string): SseEvent | undefined => {
    if (line === "") {
      const event = data.length === 0 ? undefined : { name, data: data.join("\n") };
      name = "";
      data = [];
      return event;
    }
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "event") name = value;
    if (field === "data") data.push(value);
    return undefined;
  };
  const takeLines = (text: string, ended: boolean): readonly SseEvent[] => {
    pending += text;
    if (pending.length > MAX_PENDING_CHARS) throw new RangeError("one event of the stream is too long");
    if (!/[\r\n]/.test(text)) return [];
    const lines = pending.split(/\r\n|\n|\r(?!$)/);
    pending = ended ? "" : (lines.pop() ?? "");
    return lines.flatMap((line) => takeLine(line) ?? []);
  };
  return {
    push: (bytes) => takeLines(decoder.decode(bytes, { stream: true }), false),
    end: () => takeLines(`${decoder.decode()}\n\n`, true),
  };
}

// Server-sent events out of the body of an answer, as the standard says.
export type ServerSentEvent = {
  readonly id: string;
  readonly name: string;
  readonly data: string;
};

/** An event longer than this is none of Bespeak's. */
const EVENT_LENGTH_MAX = 16_000_000;

/** The events of a stream, and `null` for each comment (a heartbeat). Ends with the stream. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent | null, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      if (rest.length > EVENT_LENGTH_MAX) throw new Error("an event is too long");
      const blocks = rest.split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) yield eventOf(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function eventOf(block: string): ServerSentEvent | null {
  const fields = { id: "", event: "", data: "" };
  for (const line of block.split("\n")) {
    const [, name, value = ""] = /^(id|event|data): ?(.*)$/s.exec(line) ?? [];
    if (name === "data") fields.data += fields.data === "" ? value : `\n${value}`;
    else if (name === "id" || name === "event") fields[name] = value;
  }
  return fields.event === "" ? null : { id: fields.id, name: fields.event, data: fields.data };
}

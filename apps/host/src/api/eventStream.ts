import { createParser, type EventSourceMessage } from 'eventsource-parser'

/** Yields server-sent events as they arrive. Calls `alive` for everything received, including keep-alive comments. */
export async function* readEventStream(
  stream: ReadableStream<Uint8Array>,
  alive: () => void = () => {},
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  const events: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => events.push(event) })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      alive()
      parser.feed(decoder.decode(value, { stream: true }))
      yield* events.splice(0)
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}

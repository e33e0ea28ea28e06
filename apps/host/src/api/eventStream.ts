/** One server-sent event: its name, and its data as the text that was sent. */
export interface StreamedEvent {
  event: string
  data: string
}

/** Reads server-sent events as they come; comments, which keep the connection alive, call `alive` and are left out. */
export async function* readEventStream(
  stream: ReadableStream<Uint8Array>,
  alive: () => void = () => {},
): AsyncGenerator<StreamedEvent, void, undefined> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      alive()
      text += decoder.decode(value, { stream: true })
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const event = readEvent(text.slice(0, end))
        text = text.slice(end + 2)
        if (event) yield event
      }
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}

function readEvent(block: string): StreamedEvent | undefined {
  const fields = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line))
  const valuesOf = (name: string) => fields.flatMap((field) => (field?.[1] === name ? [field[2]!] : []))
  const data = valuesOf('data')
  if (data.length === 0) return undefined
  return { event: valuesOf('event').at(-1) ?? 'message', data: data.join('\n') }
}

/** One server-sent event. */
export interface ServerSentEvent {
  readonly event: string
  readonly data: string
}

/** The events of a stream (WHATWG HTML §9.2.6); comments, ids and retry times are left out. */
export async function* readEvents(stream: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder()
  let pending = ''
  let event = ''
  let data: string[] = []
  for await (const chunk of stream) {
    pending += decoder.decode(chunk, { stream: true })
    // A carriage return at the end may be the first half of a line break.
    const complete = pending.endsWith('\r') ? pending.slice(0, -1) : pending
    const lines = complete.split(/\r\n|\n|\r/)
    pending = `${lines.pop() ?? ''}${pending.slice(complete.length)}`
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { event: event || 'message', data: data.join('\n') }
        event = ''
        data = []
        continue
      }
      const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
      if (field === 'event') event = value
      else if (field === 'data') data.push(value)
    }
  }
}

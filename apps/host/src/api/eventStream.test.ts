import type { EventSourceMessage } from 'eventsource-parser'
import { expect, test } from 'vitest'
import { readEventStream } from './eventStream.ts'

async function eventsOf(chunks: Uint8Array[], alive?: () => void): Promise<EventSourceMessage[]> {
  const found: EventSourceMessage[] = []
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  for await (const event of readEventStream(stream, alive)) found.push(event)
  return found
}

const sent = ': connected\n\nevent: clock\ndata: {"now":1}\n\n:\n\nevent: notification\ndata: {"id":"أ中"}\n\n'

test('parses events regardless of chunk boundaries, even within a multi-byte character', async () => {
  const bytes = new TextEncoder().encode(sent)
  const whole = [
    { event: 'clock', data: '{"now":1}' },
    { event: 'notification', data: '{"id":"أ中"}' },
  ]
  for (let cut = 0; cut <= bytes.length; cut += 1)
    expect(await eventsOf([bytes.slice(0, cut), bytes.slice(cut)])).toEqual(whole)
  expect(await eventsOf([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole)
})

test('reports comments as activity but not as events', async () => {
  let beats = 0
  const comment = new TextEncoder().encode(':\n\n')
  expect(await eventsOf([comment, comment], () => beats++)).toEqual([])
  expect(beats).toBe(2)
})

test('ignores an incomplete event at the end of the stream', async () => {
  expect(await eventsOf([new TextEncoder().encode('event: trade\ndata: {"id":')])).toEqual([])
})

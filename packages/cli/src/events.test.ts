import { expect, test } from 'vitest'
import { readEvents } from './events.ts'

async function* pieces(text: string, size: number) {
  const bytes = new TextEncoder().encode(text)
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size)
}

const text =
  ': hello\r\n\r\nevent: callback\ndata: {"a":"مرحبا"}\n\ndata:one\rdata: two\rid: 7\r\r:\n\nevent: empty\n\ndata: cut off'

test.each([1, 2, 3, 7, 1000])('events are read in pieces of %i bytes', async (size) => {
  const events: unknown[] = []
  for await (const event of readEvents(pieces(text, size))) events.push(event)
  expect(events).toEqual([
    { event: 'callback', data: '{"a":"مرحبا"}' },
    { event: 'message', data: 'one\ntwo' },
  ])
})

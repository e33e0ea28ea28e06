import { expect, test } from 'vitest'
import { linesOf } from './lines.ts'

async function split(bytes: Uint8Array, chunkSize: number): Promise<string[]> {
  async function* chunks() {
    for (let start = 0; start < bytes.length; start += chunkSize) yield bytes.subarray(start, start + chunkSize)
  }
  const lines: string[] = []
  for await (const line of linesOf(chunks())) lines.push(line)
  return lines
}

test.each([1, 2, 3, 1000])('splits at line feeds only, in chunks of %i bytes', async (chunkSize) => {
  const lines = ['{"text":"a\u2028b\u2029c\rd\u0085"}', '', 'عربي 🙂', 'end']
  for (const [ending, last] of [
    ['\n', ''],
    ['\n', '\n'],
    ['\r\n', '\r\n'],
  ] as const) {
    for (const mark of ['', '\uFEFF']) {
      const bytes = new TextEncoder().encode(mark + lines.join(ending) + last)
      expect(await split(bytes, chunkSize)).toEqual(lines)
    }
  }
  expect(await split(new Uint8Array(), chunkSize)).toEqual([])
})

import { Readable } from 'node:stream'
import { parseFilter, parseForm } from '@souk/contract'
import fresh from 'fresh'
import { test } from 'vitest'
import { inlineScripts } from '../src/domain/miniApps/releases/inlineScripts.ts'
import { readTar } from '../src/domain/miniApps/releases/tar.ts'
import { expectLinear } from './linear.ts'

/** Parsers of what strangers send, each with the texts that it has the most work with. */
const parsers: [name: string, parse: (text: string) => unknown, ...units: string[]][] = [
  ['a form', parseForm, 'a=b&', 'a', '&', '=', '%', '%41', '%25', '+'],
  ['a filter', parseFilter, 'a=b,', 'a', ' ', '"', '\\"', 'a="', 'a= '],
  ['entity tags', (text) => fresh({ 'if-none-match': text }, { etag: '"x"' }), ' ', ',', '"', 'W/', ' ,'],
  ['inline scripts', (text) => inlineScripts(Buffer.from(text)), '<script>', '<script ', '<script></script', '<', '\r'],
  ['a tar archive', (text) => readAll(Buffer.from(text.padEnd(512))), '0', '\0', '1\0'],
]

async function readAll(tar: Buffer): Promise<void> {
  for await (const _entry of readTar(Readable.from([tar]), () => true));
}

test.each(parsers.flatMap(([name, parse, ...units]) => units.map((unit) => [name, unit, parse] as const)))(
  '%s of many %j takes time linear in its length',
  async (_name, unit, parse) => {
    const attempt = async (text: string) => {
      try {
        await parse(text)
      } catch {
        // Most of these texts are rejected.
      }
    }
    for (const start of ['', 'a="', 'a=b,a='])
      await expectLinear(attempt, (size) => `${start}${unit.repeat(size / unit.length)}`)
  },
)

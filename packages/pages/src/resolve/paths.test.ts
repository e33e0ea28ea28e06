import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readPages, variantFor } from '../config.ts'
import { platforms } from '../diagnostic.ts'
import { newFrame, type ResolveOptions, resolve, resolveStyle } from './resolve.ts'

const everything = readFileSync(new URL('../../test/fixtures/everything.jsonc', import.meta.url), 'utf8')
const corpus = new URL('../../../../../shared/corpus/', import.meta.url).pathname
const real = existsSync(corpus)
  ? readdirSync(corpus)
      .filter((name) => name.endsWith('.json'))
      .map((name) => readFileSync(join(corpus, name), 'utf8'))
  : []

const builds: ResolveOptions[] = [
  ...platforms.map((platform) => ({ platform })),
  { platform: 'App', os: 'iOS' },
  { platform: 'App', version: '2.6.0' },
]

/** The values of a text, with their origins noted and without. */
function expectSame(text: string) {
  const config = readPages(text)
  for (const options of builds) {
    const { model } = variantFor(config, options.platform, options.os)
    for (const page of resolve(config, options).pages) {
      const frame = { ...newFrame(config, options), provenance: {} }
      const noted = resolveStyle(frame, model.byPath.get(page.path)!)
      // Vitest's own comparison is several times slower.
      if (!isDeepStrictEqual(page.style, noted)) expect(page.style).toEqual(noted)
    }
  }
}

it('values are the same whether their origins are noted or not', { timeout: 30_000 }, () => {
  for (const text of [everything, ...real]) expectSame(text)
})

it('also where types are wrong, keys stand twice and parts are missing', { timeout: 30_000 }, () => {
  const values = ['1', 'true', 'false', 'null', '"none"', '{}', '[]', '[{}]', '{"support": true}', '']
  const change = fc.record({ at: fc.nat(), value: fc.constantFrom(...values) })
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), (changes) => {
      const spots = [...everything.matchAll(/(?<=: )(?:"[^"]*"|[\w.]+|\{|\[)/g)]
      let text = everything
      for (const { at, value } of changes) {
        const spot = spots[at % spots.length]!
        text = text.replace(spot[0], () => value)
      }
      expectSame(text)
    }),
    { numRuns: 150 },
  )
})

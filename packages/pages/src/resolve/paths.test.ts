import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { corpora } from '../../test/corpus.ts'
import { readPages, variantFor } from '../config.ts'
import { platforms } from '../diagnostic.ts'
import { createContext, type ResolveOptions, resolve, resolveStyle } from './resolve.ts'

const everything = readFileSync(new URL('../../test/fixtures/everything.jsonc', import.meta.url), 'utf8')

const builds: ResolveOptions[] = [
  ...platforms.map((platform) => ({ platform })),
  { platform: 'App', os: 'iOS' },
  { platform: 'App', version: '2.6.0' },
]

/** Resolves each page of a text with and without provenance and compares the values. */
function expectSame(text: string) {
  const config = readPages(text)
  for (const options of builds) {
    const { model } = variantFor(config, options.platform, options.os)
    for (const page of resolve(config, options).pages) {
      const frame = { ...createContext(config, options), provenance: {} }
      const noted = resolveStyle(frame, model.byPath.get(page.path)!)
      // Several times faster than Vitest's comparison, which then reports the difference.
      if (!isDeepStrictEqual(page.style, noted)) expect(page.style).toEqual(noted)
    }
  }
}

it('provenance does not change the resolved values', () => expectSame(everything))

for (const { name, files } of corpora) {
  it(`provenance does not change the values in any of the ${name}`, () => {
    for (const { text } of files) expectSame(text)
  })
}

it('provenance does not change values where types are wrong, keys are repeated or parts are missing', () => {
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

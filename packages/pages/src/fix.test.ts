import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Corpus, corpora } from '../test/corpus.ts'
import { check } from './check/check.ts'
import { readPages, variantFor } from './config.ts'
import { platforms } from './diagnostic.ts'
import { applyEdits } from './edit.ts'
import { fixText } from './fix.ts'

/** Returns the errors of a text, and its pages on each platform. */
function assess(text: string) {
  const config = readPages(text)
  const errors = check(config).filter(({ severity }) => severity === 'error').length
  return { errors, pages: platforms.map((platform) => variantFor(config, platform).model.pages.length) }
}

/** A position, as a share of the text, and what happens to the character there. */
const damages = fc.record({
  position: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  inserted: fc.constantFrom('', ...'{}[]",:/\\ \n0a<='),
  removed: fc.constantFrom(0, 1),
})

type Damage = typeof damages extends fc.Arbitrary<infer T> ? T : never

function damage(text: string, { position, inserted, removed }: Damage): string {
  const at = Math.floor(position * text.length)
  return text.slice(0, at) + inserted + text.slice(at + removed)
}

function expectNothingWorse(text: string, name = ''): void {
  const before = assess(text)
  const after = assess(fixText(text, {}).text)
  expect(after.errors, name).toBeLessThanOrEqual(before.errors)
  for (const [index, count] of after.pages.entries()) expect(count, name).toBeGreaterThanOrEqual(before.pages[index]!)
}

/** Returns the structural characters of a text, by position. */
const structure = (text: string) => [...text.matchAll(/[[\]{}",:]/g)].map(({ index }) => index)

function expectNoFixMakesWorse(text: string, name = ''): void {
  const before = assess(text)
  for (const { code, fix } of check(readPages(text))) {
    if (!fix) continue
    const after = assess(applyEdits(text, fix.edits))
    expect(after.errors, `${name} ${code}`).toBeLessThanOrEqual(before.errors)
    for (const [index, count] of after.pages.entries()) expect(count, name).toBeGreaterThanOrEqual(before.pages[index]!)
  }
}

const removeFromEach = ({ files }: Corpus) => {
  const sound = files.filter(({ text }) => check(readPages(text)).every(({ fix }) => fix === undefined))
  return fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (stream) => {
      for (const { name, text } of sound) {
        const places = structure(text)
        const at = places[stream.next().value! % places.length]!
        expectNoFixMakesWorse(text.slice(0, at) + text.slice(at + 1), `${name} without character ${at}`)
      }
    }),
    { numRuns: 2 },
  )
}

const damageEach = ({ files }: Corpus) =>
  fc.assert(
    fc.property(fc.infiniteStream(damages), (stream) => {
      for (const { name, text } of files) expectNothingWorse(damage(text, stream.next().value!), name)
    }),
    { numRuns: 1 },
  )

describe('fixText', () => {
  it('fixes diagnostics that a fix reveals, and preserves comments and formatting', () => {
    const text =
      '{\n  // kept\n  "globalStyle": { "navigationBarTextStyle": "whit" }\n  "pages": [{"path": "/pages/a/a.vue"}]\n}\n'
    const { text: fixed, remaining } = fixText(text, {})
    expect(fixed).toBe(
      '{\n  // kept\n  "globalStyle": { "navigationBarTextStyle": "white" },\n  "pages": [{"path": "pages/a/a"}]\n}\n',
    )
    expect(remaining).toEqual([])
    expect(fixText(fixed, {})).toEqual({ text: fixed, fixed: 0, remaining: [] })
  })

  it('preserves backslashes and quotes in a string that gets double quotes', () => {
    const fixedTitle = (title: string) =>
      fixText(`{"pages": [{"path": "pages/a/a", "style": {"navigationBarTitleText": ${title}\n}}]}`, {}).text
    expect(fixedTitle(`'C:\\dir \\'a\\' "b" \\e600'`)).toContain(String.raw`: "C:\\dir 'a' \"b\" \ue600"`)
    expect(fixedTitle(`'a`)).toContain(': "a"\n')
    expect(fixedTitle(`“a"`)).toContain(': "a"\n')
  })

  it('does not apply fixes that guess a page', () => {
    const text =
      '{"pages": [{"path": "pages/a/a"}], "condition": {"current": 0, "list": [{"name": "a", "path": "pages/a/b"}]}}'
    expect(fixText(text, {})).toMatchObject({ text, fixed: 0, remaining: [{ code: 'condition-page-unknown' }] })
  })

  it('does not correct a key to one that already exists', () => {
    const text =
      '{"pages": [{"path": "/pages/a/a", "style": {"navigationBarTitleText": "A", "navigationBarTitelText": "B"}}]}'
    const { text: fixed, remaining } = fixText(text, {})
    expect(fixed).toBe(text.replace('/pages', 'pages'))
    expect(remaining.map(({ code }) => code)).toEqual(['key-unknown'])
  })

  it('checks a file a limited number of times, however many fixes would make it worse', () => {
    const all = Array.from({ length: 200 }, (_, index) => `{"path": "pages/p/p${index}", "styel": {"maxWidth": []}}`)
    let checks = 0
    const exists = (path: string) => {
      if (path === 'pages/p/p0.vue') checks += 1
      return path.endsWith('.vue')
    }
    expect(fixText(`{"pages": [${all}]}`, { files: { exists } }).fixed).toBe(0)
    expect(checks).toBeLessThan(150)
  })

  it.each(corpora)('adds no error and loses no page in $name with a damaged character', damageEach)

  it.each(corpora)('offers no single fix that makes $name with a missing character worse', removeFromEach)

  it.each([
    [
      'a required key',
      '{"pages": [{"path": "pages/a/a"}], "condition": "list": [{"name": "a", "path": "pages/a/a"}]}}',
    ],
    [
      'a bracket in a block',
      '{"pages": \n// #ifdef H5\n{"path": "pages/a/a"},\n// #endif\n{"path": "pages/b/b"}, {"path": "pages/c/c"}]}',
    ],
    [
      'a bracket before a block',
      '{"pages": [{"path": "pages/a/a"}\n// #ifdef H5\n, {"path": "pages/b/b"}\n// #endif\n,\n// #ifdef H5\n"condition": {},\n// #endif\n"globalStyle": {}}',
    ],
    [
      'a bracket before a block at the end of a list',
      '{"pages": [{"path": "pages/a/a"}], "subPackages": [{"root": "b", "pages": [\n// #ifdef H5\n{"path": "b/b"}\n// #endif\n}]}',
    ],
    ['another bracket', '{"pages": [{"path": "pages/a/a"}], "subPackages": ], "globalStyle": {}}'],
    ['a bracket around an object', '{"globalStyle": {}, "subPackages": ]}'],
    ['an escape of a tab', '{"pages": [{"path": "pages/a/a,\t\t\n"style": {}}]}'],
    [
      'a quote after a quote',
      '{"pages": [{"path": "pages/a/a"}], "globalStyle:{"navigationBarTextStyle":"white","backgroundColor":"#FFFFFF"},"tabBar":{"color":"#7F1D1D"}}',
    ],
  ])('does not offer to insert %s where another character is missing', (_, text) => expectNoFixMakesWorse(text))

  it('adds no error and loses no page in generated files with a damaged character', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/)
    const style = fc.record(
      {
        navigationBarTitleText: fc.string(),
        navigationBarTextStyle: fc.constantFrom('black', 'white', 'whit'),
        enablePullDownRefresh: fc.constantFrom(true, 'true'),
        'app-plus': fc.record({ bounce: fc.constant('none'), titleNView: fc.constantFrom(false, { type: 'float' }) }),
      },
      { requiredKeys: [] },
    )
    const page = fc.record({ path: word.map((name) => `/pages/${name}/${name}`), style })
    const file = fc.record({ pages: fc.array(page, { minLength: 1, maxLength: 5 }), globalStyle: style })
    fc.assert(
      fc.property(file, fc.constantFrom(undefined, 2), damages, (content, space, each) => {
        expectNothingWorse(damage(JSON.stringify(content, null, space), each))
      }),
      { numRuns: 150 },
    )
  })
})

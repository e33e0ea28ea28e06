import { describe, expect, test } from 'vitest'
import { codesIn, errorTextsIn } from '../../apps/docs/.vitepress/errors/texts.ts'
import { errorPagesIn } from '../../apps/docs/.vitepress/operations.ts'
import { errorHelp } from '../../packages/contract/src/errorHelp.ts'
import { errorsOf, operations } from '../../packages/contract/src/openapi.ts'
import { scripts } from '../languages.ts'
import { terms } from '../terms.ts'

/** The errors that backends and programs meet. */
const met = new Set(
  operations.filter(({ surface }) => surface === 'open' || surface === 'platform').flatMap((one) => errorsOf(one)),
)

/** Returns the names, commands and values in a text. */
const codeIn = (text: string) => Array.from(text.matchAll(/`([^`]+)`/g), ([, code]) => code!.replace(/<[^>]*>/g, '<>'))

/** Returns a text without what is not language: code and scopes. */
const proseOf = (text: string) => text.replace(/`[^`]*`|\b\w+:\w+/g, '')

describe.each(['zh', 'ar'] as const)('the errors in %s', (language) => {
  const codes = codesIn(language)

  test('have those of the open API and the platform data API', () => {
    expect(codes).toEqual(expect.arrayContaining([...met]))
  })

  test.each(codes)('%s says in its language what the English page says', (code) => {
    const { cause, fix, when } = errorTextsIn(language, code)!
    const english = errorHelp[code]
    for (const text of [cause, fix]) expect(text).toMatch(scripts[language]!)
    const named = codeIn(english.fix).filter((name) => !name.includes(' '))
    expect(codeIn(cause + fix)).toEqual(expect.arrayContaining(named))
    expect(when !== undefined).toBe(english.example.kind === 'operation' && english.example.when !== undefined)
  })

  test.each(codes)('%s has the translation of each term where the English page has the term', (code) => {
    const { cause, fix, when } = errorTextsIn(language, code)!
    const { example, ...english } = errorHelp[code]
    const texts = [
      [english.cause, cause],
      [english.fix, fix],
      [(example.kind === 'operation' && example.when) || '', when ?? ''],
    ] as const
    const missed = texts.flatMap(([from, to]) =>
      terms
        .filter((term) => term.english.test(proseOf(from)))
        .map((term) => term[language])
        .filter(({ name, used = new RegExp(name) }) => !used.test(proseOf(to)))
        .map(({ name }) => `${name}: ${to} (${from})`),
    )
    expect(missed).toEqual([])
  })

  test('have pages with the sections of the English ones', () => {
    for (const { code, content } of errorPagesIn(language)) {
      expect(content, code).not.toMatch(/^## (?:Cause|What to do|Example|Response|Where)/m)
      expect(content.match(/^## /gm)!.length, code).toBeGreaterThanOrEqual(4)
    }
  })
})

import { describe, expect, test } from 'vitest'
import { errorTextsIn } from '../../apps/docs/.vitepress/errors/texts.ts'
import { errorPagesIn } from '../../apps/docs/.vitepress/operations.ts'
import { errorHelp } from '../../packages/contract/src/errorHelp.ts'
import { errorCodes } from '../../packages/contract/src/reference.ts'
import { scripts } from '../languages.ts'
import { terms } from '../terms.ts'

/** Returns the names, commands and values in a text. */
const codeIn = (text: string) => Array.from(text.matchAll(/`([^`]+)`/g), ([, code]) => code!.replace(/<[^>]*>/g, '<>'))

/** Returns a text without what is not language: code and scopes. */
const proseOf = (text: string) => text.replace(/`[^`]*`|\b\w+:\w+/g, '')

describe.each(['zh', 'ar'] as const)('the errors in %s', (language) => {
  test.each(errorCodes)('%s says in its language what the English page says', (code) => {
    const { cause, fix, when } = errorTextsIn(language, code)
    const english = errorHelp[code]
    for (const text of [cause, fix]) expect(text).toMatch(scripts[language]!)
    const named = codeIn(english.fix)
    expect(codeIn(cause + fix)).toEqual(expect.arrayContaining(named))
    expect(when !== undefined).toBe(english.example.kind === 'operation' && english.example.when !== undefined)
  })

  test.each(errorCodes)('%s has the translation of each term where the English page has the term', (code) => {
    const { cause, fix, when } = errorTextsIn(language, code)
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

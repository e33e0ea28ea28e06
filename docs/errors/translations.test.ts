import { describe, expect, test } from 'vitest'
import { codesIn, errorTextsIn } from '../../apps/docs/.vitepress/errors/texts.ts'
import { errorPagesIn } from '../../apps/docs/.vitepress/operations.ts'
import { errorHelp } from '../../packages/contract/src/errorHelp.ts'
import { errorsOf, operations } from '../../packages/contract/src/openapi.ts'
import { scripts } from '../languages.ts'

/** The errors that backends and programs meet. */
const met = new Set(
  operations.filter(({ surface }) => surface === 'open' || surface === 'platform').flatMap((one) => errorsOf(one)),
)

/** Returns the names, commands and values in a text. */
const codeIn = (text: string) => Array.from(text.matchAll(/`([^`]+)`/g), ([, code]) => code!.replace(/<[^>]*>/g, '<>'))

describe.each(['zh', 'ar'] as const)('the errors in %s', (language) => {
  const codes = codesIn(language)

  test('are those of the open API and the platform data API', () => {
    expect(codes.toSorted()).toEqual([...met].toSorted())
  })

  test.each(codes)('%s says in its language what the English page says', (code) => {
    const { cause, fix, when } = errorTextsIn(language, code)!
    const english = errorHelp[code]
    for (const text of [cause, fix]) expect(text).toMatch(scripts[language]!)
    const named = codeIn(english.fix).filter((name) => !name.includes(' '))
    expect(codeIn(cause + fix)).toEqual(expect.arrayContaining(named))
    expect(when !== undefined).toBe(english.example.kind === 'operation' && english.example.when !== undefined)
  })

  test('have pages with the sections of the English ones', () => {
    for (const { code, content } of errorPagesIn(language)) {
      expect(content, code).not.toMatch(/^## (?:Cause|What to do|Example|Response|Where)/m)
      expect(content.match(/^## /gm)!.length, code).toBeGreaterThanOrEqual(4)
    }
  })
})

import { consoleOperations, type Operation } from '@souk/contract'
import { expect, test } from 'vitest'
import arabic from './locales/ar.ts'
import english from './locales/en.ts'
import chinese from './locales/zh-CN.ts'

const operations: readonly Operation[] = Object.values(consoleOperations)
const confirmed = operations.filter(({ stepUp }) => stepUp !== undefined)

test('every operation that requires a confirmation says in each language what it does', () => {
  const ids = confirmed.map(({ id }) => id).toSorted()
  for (const { actions } of [english, chinese, arabic]) expect(Object.keys(actions).toSorted()).toEqual(ids)
})

test('a text names only what the operation always gets', () => {
  const found = confirmed.flatMap(({ id, parameters }) => {
    const names = [...(english.actions as Record<string, string>)[id]!.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    return names.filter((name) => !parameters.required?.includes(name)).map((name) => `${id}: ${name}`)
  })
  expect(found).toEqual([])
})

test('Arabic texts begin with their preposition, which is joined to a word without article', () => {
  const texts = [...Object.values(arabic.actions), ...Object.values(arabic.named)]
  expect(texts.filter((text) => !/^ل(?!ل|ال)/.test(text))).toEqual([])
})

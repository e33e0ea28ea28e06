import { expect, it } from 'vitest'
import { inAppearance } from './appearance.ts'
import type { Appearances } from './config.ts'

const config = {
  color: '#fff',
  list: [{ text: 'Home' }],
  gone: 1,
  appearances: {
    dark: [[['color'], '#000'], [['gone']]],
    languages: { en: [], 'zh-Hans': [[['list', 0, 'text'], '首页']] },
  } as Appearances,
}

it('a configuration has the values of its theme and of the closest language', () => {
  expect(inAppearance(config, { theme: 'light', language: 'en-GB' })).toBe(config)
  expect(inAppearance(config, { theme: 'light', language: 'zh-CN' }).list).toEqual([{ text: '首页' }])
  const dark = inAppearance(config, { theme: 'dark', language: 'zh' })
  expect(dark).toMatchObject({ color: '#000', list: [{ text: '首页' }] })
  expect(dark).not.toHaveProperty('gone')
  expect(config.color).toBe('#fff')
})

it('never changes a prototype, whatever the manifest', () => {
  const hostile: Appearances = {
    dark: [
      [['__proto__', 'bad'], 1],
      [['constructor', 'prototype', 'bad'], 1],
      [['__proto__'], {}],
    ],
  }
  inAppearance({ appearances: hostile }, { theme: 'dark', language: 'en' })
  expect(({} as { bad?: unknown }).bad).toBeUndefined()
})

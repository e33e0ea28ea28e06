import { expect, test } from 'vitest'
import { check } from '../check/check.ts'
import { readPages } from '../config.ts'
import { messageOf } from '../diagnostic.ts'
import { drawnTables, exampleOf } from './examples.ts'
import { galleryPage } from './gallery.ts'
import { tables } from './tables.ts'

test('every example of the gallery contains its attribute and has no problem', () => {
  const problems = drawnTables.flatMap((table) =>
    tables[table].rows.flatMap(({ attribute: name }) => {
      const { text, platform } = exampleOf({ table, name })
      expect(text).toContain(`"${name}"`)
      return check(readPages(text))
        .filter(({ severity }) => severity === 'error' || severity === 'warning')
        .filter(({ platforms }) => platforms.includes(platform))
        .map((each) => `${table}.${name}: ${each.code}: ${messageOf(each)}`)
    }),
  )
  expect(problems).toEqual([])
})

test('the gallery marks an attribute without which the drawing is the same', () => {
  const drawWithoutWidth = (text: string) => text.replaceAll(/\s/g, '').replaceAll(/,?"width":"[^"]*"/g, '')
  const marked = galleryPage(new Map(), drawWithoutWidth)
    .split('\n### ')
    .filter((section) => section.includes('The drawing is the same without it.'))
    .map((section) => section.split('\n')[0])
  expect(marked).toEqual(['`titleNView.buttons[].width`', '`tabBar.midButton.width`', '`subNVues[].style.width`'])
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')
const records = readdirSync(import.meta.dirname).filter((file) => /^\d{4}-.*\.md$/.test(file))
/** A page. A record that needs more decides more than one thing, or describes how something works. */
const mostWords = 600

test('the index lists every record by its title', () => {
  const listed = [...read('README.md').matchAll(/^- (\[.+\]\(.+\))$/gm)].map(([, link]) => link).sort()
  const titleOf = (file: string) => /^# (.+)$/m.exec(read(file))?.[1]
  expect(listed).toEqual(records.map((file) => `[${titleOf(file)}](${file})`).sort())
})

test('each number has one record', () => {
  const numbers = records.map((file) => file.slice(0, 4))
  expect(numbers).toEqual([...new Set(numbers)])
})

describe.each(records)('%s', (file) => {
  const text = read(file)

  test('begins with its number and the date of the decision', () => {
    const [, number, date = ''] = /^# (\d+)\. .+\n\nDate: (\d{4}-\d{2}-\d{2})\n\n## /.exec(text) ?? []
    expect(Number(number)).toBe(Number(file.slice(0, 4)))
    expect(new Date(date).toISOString()).toMatch(date)
  })

  test('decides one thing', () => {
    const headings = [...text.matchAll(/^##+ (.+)$/gm)].map(([, title]) => title)
    expect(headings).toEqual(['Status', 'Context', 'Decision', 'Consequences'])
  })

  test('fits on a page', () => {
    expect(text.match(/\S+/g)?.length).toBeLessThanOrEqual(mostWords)
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const text = readFileSync(join(import.meta.dirname, 'threat-model.md'), 'utf8')

/** A test that a row names as `[file](path) “title”`. */
interface NamedTest {
  path: string
  title: string
}

const rows = text
  .split('## Threats\n')[1]!
  .split('\n## ')[0]!
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| threat'))
  .map((line) => {
    const [threat = '', control = '', tests = ''] = line.slice(2, -2).split(' | ')
    const named = tests.matchAll(/\[[^\]]+\]\(([^)]+)\) “([^”]+)”/g)
    return {
      threat,
      control,
      tests: Array.from(named, ([, path, title]): NamedTest => ({ path: path!, title: title! })),
    }
  })

test('each threat has a control and a test', () => {
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.filter(({ control, tests }) => control === '' || tests.length === 0)).toEqual([])
})

test.each(rows)('the tests of "$threat" exist', ({ tests }) => {
  const missing = tests.filter(({ path, title }) => {
    const source = readFileSync(join(import.meta.dirname, path), 'utf8').replace(/\(\s+/g, '(')
    return !['"', "'", '`'].some((quote) => source.includes(`(${quote}${title}${quote}`))
  })
  expect(missing).toEqual([])
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')
const records = readdirSync(import.meta.dirname).filter((file) => /^\d{4}-.*\.md$/.test(file))

test('the index lists every record by its title', () => {
  const listed = [...read('README.md').matchAll(/^- (\[.+\]\(.+\))$/gm)].map(([, link]) => link).sort()
  const titleOf = (file: string) => /^# (.+)$/m.exec(read(file))?.[1]
  expect(listed).toEqual(records.map((file) => `[${titleOf(file)}](${file})`).sort())
})

test.each(records)('%s has the sections of a record', (file) => {
  const sections = [...read(file).matchAll(/^## (.+)$/gm)].map(([, title]) => title)
  expect(sections.slice(0, 4)).toEqual(['Status', 'Context', 'Decision', 'Consequences'])
})

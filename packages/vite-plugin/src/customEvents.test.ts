import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readCustomEvents } from './customEvents.ts'

function projectOf(text?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'souk-custom-events-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  if (text !== undefined) writeFileSync(join(folder, 'custom-events.json'), text)
  return folder
}

test('reads declarations; a project without the file has none', () => {
  expect(readCustomEvents(projectOf('{"order":{}}'))).toEqual({ order: {} })
  expect(readCustomEvents(projectOf())).toEqual({})
})

test.each([
  ['{', 'is not JSON'],
  ['[]', 'must be an object with a declaration for each name'],
])('refuses %s', (text, problem) => {
  expect(() => readCustomEvents(projectOf(text))).toThrow(problem)
})

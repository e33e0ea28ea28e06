import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const repository = join(import.meta.dirname, '../../..')
const folder = relative(repository, join(import.meta.dirname, 'types'))

/** Runs vue-tsc over the templates in `types` and the project template. Returns the lines with errors, by file. */
async function linesWithErrors(): Promise<Record<string, number[]>> {
  const run = promisify(execFile)(process.execPath, ['setup/vueTypes.cjs', folder], { cwd: repository })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  const lines: Record<string, Set<number>> = {}
  for (const [, path, line] of stdout.matchAll(/^(.+)\((\d+),\d+\): error/gm)) {
    const file = relative(folder, path!)
    lines[file] ??= new Set()
    lines[file].add(Number(line))
  }
  return Object.fromEntries(Object.entries(lines).map(([file, found]) => [file, [...found].sort((a, b) => a - b)]))
}

test('vue-tsc finds each mistake in the attributes, events and slots of tags, and nothing else', async () => {
  const text = await readFile(join(import.meta.dirname, 'types/mistakes.vue'), 'utf8')
  // One on each line inside the outermost tag.
  const mistakes = text.split('\n').flatMap((line, index) => (line.startsWith('    <') ? [index + 1] : []))
  expect(mistakes.length).toBeGreaterThan(60)
  expect(await linesWithErrors()).toEqual({ 'mistakes.vue': mistakes })
}, 240_000)

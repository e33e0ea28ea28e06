import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, 'statements')
const tsc = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc')

test('correct statements compile in a new mini app, and each mistake is reported', async () => {
  const { stdout } = spawnSync(process.execPath, [tsc, '--project', folder], { encoding: 'utf8' })
  expect(stdout).toBe('')
  const count = async (file: string, statement: RegExp) =>
    (await readFile(join(folder, file), 'utf8')).match(statement)!.length
  expect(await count('correct.ts', /\b(?:uni|wx|neu)\.\$?\w+\(/g)).toBeGreaterThan(110)
  expect(await count('mistakes.ts', /@ts-expect-error/g)).toBeGreaterThan(40)
})

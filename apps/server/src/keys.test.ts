import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from './kernel/log.ts'
import { closeKeys, keepAdminToken, keepMasterKey } from './keys.ts'

test('secrets that other users can open are closed to them at the next start, with a warning for each', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'souk keys '))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const files = ['admin-token', 'master-key', 'demo.json'].map((name) => join(dataDir, name))
  const modes = () => files.map((file) => statSync(file).mode & 0o777)

  await keepAdminToken(dataDir)
  await keepMasterKey(dataDir)
  writeFileSync(join(dataDir, 'demo.json'), '{}', { mode: 0o600 })
  await closeKeys(dataDir, log)
  expect(modes()).toEqual([0o600, 0o600, 0o600])
  expect(lines).toEqual([])

  for (const file of files) chmodSync(file, 0o644)
  await closeKeys(dataDir, log)
  expect(modes()).toEqual([0o600, 0o600, 0o600])
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    files.map((path) => expect.objectContaining({ level: 40, path, was: '644' })),
  )
})

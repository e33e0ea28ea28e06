import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from './kernel/log.ts'
import { loadAdminToken, loadMasterKey, restrictSecretFiles } from './keys.ts'

test('removes the permissions of other users from secret files, with a warning for each', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'souk keys '))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const files = ['admin-token', 'master-key', 'demo.json'].map((name) => join(dataDir, name))
  const modes = () => files.map((file) => statSync(file).mode & 0o777)

  await loadAdminToken(dataDir)
  await loadMasterKey(dataDir)
  writeFileSync(join(dataDir, 'demo.json'), '{}', { mode: 0o600 })
  await restrictSecretFiles(dataDir, log)
  expect(modes()).toEqual([0o600, 0o600, 0o600])
  expect(lines).toEqual([])

  for (const file of files) chmodSync(file, 0o644)
  await restrictSecretFiles(dataDir, log)
  expect(modes()).toEqual([0o600, 0o600, 0o600])
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    files.map((path) => expect.objectContaining({ level: 40, path, was: '644' })),
  )
})

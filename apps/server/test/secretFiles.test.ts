import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startServer } from './server.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'souk-secrets-'))
afterAll(() => rm(dataDir, { recursive: true, force: true }))

test('empty secret files of an interrupted first start admit nobody and are written again', async () => {
  for (const name of ['admin-token', 'master-key', 'setup-token']) await writeFile(join(dataDir, name), '')
  const server = await startServer({ dataDir })
  const list = (authorization: string) =>
    fetch(`${server.url}/console/v1/accounts`, { headers: { Authorization: authorization } })
  for (const empty of ['', 'Basic x', 'Bearer ']) expect((await list(empty)).status).toBe(401)
  expect((await list(`Bearer ${server.adminToken}`)).status).toBe(200)
  expect(await readFile(join(dataDir, 'master-key'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
  await server.stop()

  // The database now has secrets, so another key must not take the place of the lost one.
  await writeFile(join(dataDir, 'master-key'), '')
  const error = await startServer({ dataDir }).catch((thrown: unknown) => String(thrown))
  expect(error).toContain(`${join(dataDir, 'master-key')} is missing or empty`)
  expect(error).not.toMatch(/\n\s+at /)
})

import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startServer } from './server.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'souk-secrets-'))
afterAll(() => rm(dataDir, { recursive: true, force: true }))

test('empty secret files of an interrupted first start are never accepted and are replaced', async () => {
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

test('an empty file switches the admin token on again at the next start', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'souk-secrets-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const file = join(directory, 'admin-token')
  const first = await startServer({ dataDir: directory })
  const send = (server: { url: string }, method: string, path: string, token: string, body?: object) =>
    fetch(`${server.url}/console/v1/${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  const setup = {
    token: (await readFile(join(directory, 'setup-token'), 'utf8')).trim(),
    username: 'layla',
    name: 'Layla',
    password: 'a rather long phrase',
  }
  const answer = await fetch(`${first.url}/console/v1/setup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(setup),
  })
  expect(answer.status).toBe(200)
  expect((await send(first, 'POST', 'admin-token/disable', first.adminToken, {})).status).toBe(200)
  expect((await send(first, 'GET', 'accounts', first.adminToken)).status).toBe(403)
  expect(existsSync(file)).toBe(false)
  await first.stop()

  await writeFile(file, '')
  const second = await startServer({ dataDir: directory })
  expect(second.adminToken).not.toBe(first.adminToken)
  expect((await send(second, 'GET', 'accounts', second.adminToken)).status).toBe(200)
  expect(second.log()).toContain('created a new admin token')
  await second.stop()
})

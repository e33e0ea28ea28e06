import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type RunningServer, startServer } from './server.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'souk-setup-'))
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const linkOf = (server: RunningServer) => /\S+\/console\/setup#(\S+)/.exec(server.log())

test('prints the setup link until it has been used', async () => {
  const first = await startServer({ dataDir })
  await expect.poll(() => linkOf(first)).not.toBeNull()
  const [link, token] = linkOf(first)!
  expect(link).toBe(`${first.url}/console/setup#${token}`)
  const file = join(dataDir, 'setup-token')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readFile(file, 'utf8')).toBe(`${token}\n`)
  await first.stop()

  // The unused link is the same after a restart.
  const second = await startServer({ dataDir })
  await expect.poll(() => linkOf(second)?.[1]).toBe(token)
  const answer = await fetch(`${second.url}/console/v1/setup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, username: 'ada', name: 'Ada', password: 'long enough now' }),
  })
  expect(answer.status).toBe(200)
  const session = answer.headers.get('set-cookie')!
  await second.stop()

  const third = await startServer({ dataDir })
  await expect.poll(() => third.log()).toContain('is ready at')
  expect(linkOf(third)).toBeNull()
  await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' })
  // Sessions survive a restart.
  const again = await fetch(`${third.url}/console/v1/session`, { headers: { Cookie: session.split(';')[0]! } })
  expect(await again.json()).toMatchObject({ account: { username: 'ada', administrator: true } })
  await third.stop()
})

test('a process that only runs jobs prints no addresses that it does not serve', async () => {
  const env = { SOUK_ROLE: 'worker', SOUK_PUBLIC_URL: 'https://souk.example' }
  const worker = await startServer({ env })
  await expect.poll(() => worker.log()).toContain('Admin token')
  expect(worker.log()).toContain('Souk runs the jobs of https://souk.example')
  expect(worker.log()).toContain(`Health        ${worker.url}/readyz, ${worker.url}/metrics`)
  expect(worker.log()).not.toMatch(/\/(host\/|console\/\s|neuopenapi|api\/v1|openapi\.json)/)
  await worker.stop()
})

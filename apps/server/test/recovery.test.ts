import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { soukSandbox } from '../../../packages/conformance/src/sandbox.ts'
import { Souk } from '../../../packages/sdk/src/index.ts'
import { runCommand } from './commandLine.ts'
import { type FreshDatabase, freshDatabase } from './database.ts'
import { startServer } from './server.ts'

let database: FreshDatabase
let dataDir: string

beforeAll(async () => {
  database = await freshDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'souk-recovery-'))
})
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true })
})

const recover = (...options: string[]) =>
  runCommand(['recover', ...options], {
    folder: dataDir,
    env: { SOUK_DATA_DIR: dataDir, DATABASE_URL: database.url },
  })

test('an installation whose master key is lost starts again after souk keys recover, with new secrets', async () => {
  const start = () => startServer({ dataDir, env: { DATABASE_URL: database.url } })
  const before = await start()
  const { appid, secret } = await soukSandbox(before.url, before.adminToken).createApp('Tea House')
  expect(await recover()).toMatchObject({ status: 1, err: expect.stringContaining('(recover_not_needed)') })
  await before.stop()

  const file = join(dataDir, 'master-key')
  await rm(file)
  await expect(start()).rejects.toThrow(/master-key is missing or empty[\s\S]*souk keys recover/)
  expect(existsSync(file)).toBe(false)

  const report = await recover()
  expect(report).toMatchObject({ status: 0, out: expect.stringMatching(`${appid} Tea House[^]*Nothing was changed`) })
  expect(existsSync(file)).toBe(false)
  const recovered = await recover('--yes', '--json')
  expect(recovered.status, recovered.err).toBe(0)
  const { secrets } = JSON.parse(recovered.out) as { secrets: { appid: string; secret: string }[] }

  const after = await start()
  try {
    const sandbox = soukSandbox(after.url, after.adminToken)
    const uid = await sandbox.createUser({ nickname: 'Layla' })
    const signIn = async (own: string | undefined) =>
      new Souk({ baseUrl: after.url, appid, secret: own! }).accessToken({
        code: await sandbox.createCode(appid, uid, 'user.info'),
      })
    await expect(signIn(secret)).rejects.toThrow()
    expect((await signIn(secrets.find((each) => each.appid === appid)?.secret)).accessToken).toBeTruthy()
  } finally {
    await after.stop()
  }
})

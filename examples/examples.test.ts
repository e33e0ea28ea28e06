import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../apps/server/test/server.ts'

const run = promisify(execFile)

describe('clients written from the document alone', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startServer()
  }, 70_000)
  afterAll(() => server?.stop())

  async function newApp(): Promise<{ appid: string; secret: string }> {
    const answer = await fetch(`${server.url}/console/v1/apps`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Walkthrough' }),
    })
    return (await answer.json()) as { appid: string; secret: string }
  }

  async function walk(program: string, file: string): Promise<string> {
    const { appid, secret } = await newApp()
    const { stdout } = await run(program, [join(import.meta.dirname, file)], {
      env: {
        ...process.env,
        SOUK_URL: server.url,
        APPID: appid,
        SECRET: secret,
        ADMIN_TOKEN: server.adminToken,
        PYTHONIOENCODING: 'utf-8',
      },
    })
    return stdout
  }

  it('plain Python walks every flow', { timeout: 60_000 }, async () => {
    expect(await walk('python3', 'python/souk_walkthrough.py')).toContain('Everything as documented.')
  })

  it('plain Node walks every flow', { timeout: 60_000 }, async () => {
    expect(await walk(process.execPath, 'node/walkthrough.mjs')).toContain('Everything as documented.')
  })
})

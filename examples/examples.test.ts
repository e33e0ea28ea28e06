import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../apps/server/test/server.ts'

const run = promisify(execFile)

describe('clients without the SDK', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server?.stop())

  async function newApp(): Promise<{ appid: string; secret: string }> {
    const response = await fetch(`${server.url}/console/v1/apps`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Walkthrough' }),
    })
    return (await response.json()) as { appid: string; secret: string }
  }

  async function runWalkthrough(program: string, file: string, url = `${server.url}/`): Promise<string> {
    const { appid, secret } = await newApp()
    const { stdout } = await run(program, [join(import.meta.dirname, file)], {
      env: {
        ...process.env,
        SOUK_URL: url,
        APPID: appid,
        SECRET: secret,
        ADMIN_TOKEN: server.adminToken,
        PYTHONIOENCODING: 'utf-8',
      },
    })
    return stdout
  }

  it('the Python walkthrough completes all flows', async () => {
    expect(await runWalkthrough('python3', 'python/souk_walkthrough.py')).toContain('All steps succeeded.')
  })

  it('the Node walkthrough completes all flows', async () => {
    expect(await runWalkthrough(process.execPath, 'node/walkthrough.mjs')).toContain('All steps succeeded.')
  })

  it.each([
    ['python3', 'python/souk_walkthrough.py'],
    [process.execPath, 'node/walkthrough.mjs'],
  ])('%s says in a line that Souk does not run', async (program, file) => {
    const { code, stderr } = await runWalkthrough(program, file, 'http://127.0.0.1:4').catch((error) => error)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^.*ECONNREFUSED.*\n$|^.*Connection refused.*\n$/)
  })
})

import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { signParameters } from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settings } from '../src/settings.ts'
import { withoutNpm } from './commandLine.ts'
import { type RunningServer, startServer } from './server.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

let server: RunningServer
let demo: { appid: string; secret: string; users: { uid: number }[] }

beforeAll(async () => {
  server = await startServer({ env: { SOUK_PORT: '7171' } })
  demo = JSON.parse(await readFile(join(server.dataDir, 'demo.json'), 'utf8'))
})
afterAll(() => server?.stop())

const document = (path: string) => readFile(join(root, path), 'utf8')

/** Runs commands as typed in a clone, against this test's server. */
async function typeWithNpm(script: string, variables: Record<string, string | number> = {}): Promise<string> {
  const text = script.replaceAll('http://localhost:7070', server.url).replaceAll('.souk/', `${server.dataDir}/`)
  const env = { ...process.env, SOUK_URL: server.url, SOUK_DATA_DIR: server.dataDir }
  for (const [name, value] of Object.entries(variables)) Object.assign(env, { [name]: String(value) })
  return (await run('bash', ['-euo', 'pipefail', '-c', text], { cwd: root, env })).stdout
}

const type: typeof typeWithNpm = (script, variables) => typeWithNpm(withoutNpm(script), variables)

test('the first signed request of the README returns an access token', async () => {
  const [, section] = (await document('README.md')).split('## The first signed request')
  const script = /```sh\n(.*?)```/s.exec(section!)![1]!
  expect(JSON.parse(await typeWithNpm(script))).toMatchObject({
    responseHeader: { status: 200, msg: 'OK' },
    response: { tokenType: 'bearer', accessToken: expect.any(String) },
  })
})

test('the token exchange of the users guide returns a session', async () => {
  const script = /```sh\n(.*?)```/s.exec(await document('docs/guides/users.md'))![1]!
  const { access_token: session } = JSON.parse(await type(script)) as { access_token: string }
  const answer = await fetch(`${server.url}/host/v1/me`, { headers: { Authorization: `Bearer ${session}` } })
  expect(await answer.json()).toMatchObject({ nickName: 'Layla' })
})

test('the receiver of the events guide verifies what the commands of the guide send', async () => {
  const guide = await document('docs/guides/events.md')
  const [add, list, ...rest] = [...guide.matchAll(/```sh\n(.*?)```/gs)].map(([, script]) => script!)
  const [, receiver] = /```js\n(.*?)```/s.exec(guide)!
  const port = await freePort()
  const printed = await type(add!.replace(/:8090/, `:${port}`))
  const [, secret] = /(whsec_\S+)/.exec(printed)!
  const [, ENDPOINT = ''] = /endpoint +([0-9a-f]{32})/.exec(printed)!

  // In a folder of this package, where Node finds the library.
  const folder = await mkdtemp(join(root, 'apps/server/test/guide-'))
  await writeFile(join(folder, 'receiver.mjs'), receiver!.replace(/8090/, `${port}, () => console.log('listening')`))
  const env = { ...process.env, SOUK_EVENTS_SECRET: secret }
  const running = spawn(process.execPath, [join(folder, 'receiver.mjs')], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let received = ''
  running.stdout.on('data', (chunk) => (received += chunk))
  try {
    await expect.poll(() => received).toContain('listening')
    await type(list!, { ENDPOINT })
    expect(received).toContain(`endpoint.tested {"endpointId":"${ENDPOINT}"}`)
    for (const script of rest) await type(script, { ENDPOINT })
    // Still with the old secret.
    expect(await type(list!, { ENDPOINT })).toContain('204')
  } finally {
    running.kill()
    await rm(folder, { recursive: true })
  }
})

test('the backend of the tutorial sees its first payment', async () => {
  const guide = await document('docs/guides/first-payment.md')
  const [install, create, , login, start, pay] = [...guide.matchAll(/```sh\n(.*?)```/gs)].map(([, script]) => script!)
  const [, program] = /```js\n(.*?)```/s.exec(guide)!
  // Each terminal has the variables that the guide sets there.
  const fresh = { SOUK_URL: '', SOUK_DATA_DIR: '', BUYER: '' }
  const inFolderOfData = (script: string) => script.replace('SOUK_DATA_DIR=…', `SOUK_DATA_DIR=${server.dataDir}`)
  const exported = inFolderOfData(/^export .*$/m.exec(install!)![0])
  const created = await type(`${exported}\n${create}`, fresh)
  const [, appid = ''] = /appid +(\S+)/.exec(created)!
  const [, secret = ''] = /secret +([0-9a-f]{48})/.exec(created)!
  const [, uid = ''] = /with uid (\d+)/.exec(created)!
  const variables = { SOUK_APPID: appid, SOUK_SECRET: secret, BUYER: uid }
  const [, code = ''] = /^(\S+)/.exec(await type(login!, variables))!

  const folder = await mkdtemp(join(root, 'apps/server/test/guide-'))
  await writeFile(join(folder, 'pay.mjs'), program!)
  const typed = start!.replace('<code>', code).replace('node', 'exec node --conditions=souk-source')
  const running = spawn('bash', ['-c', typed], {
    cwd: folder,
    env: { ...process.env, ...variables, SOUK_URL: server.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  running.stdout.on('data', (chunk) => (printed += chunk))
  try {
    await expect.poll(() => printed).toMatch(/^Waiting for the payment of \w+$/m)
    expect(printed).toContain('Hello Layla')
    const [tradeNo] = /(?<=payment of )\w+/.exec(printed)!
    await type(inFolderOfData(pay!).replace('<tradeNo>', tradeNo).replace('BUYER=…', `BUYER=${uid}`), fresh)
    await expect.poll(() => printed).toMatch(/^Paid$/m)
  } finally {
    running.kill()
    await rm(folder, { recursive: true })
  }
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

test('every command of the sandbox guide works as documented', async () => {
  const guide = await document('docs/guides/sandbox.md')
  const commands = guide.match(/^npx souk (?!listen).*$/gm)!
  expect(commands.length).toBeGreaterThan(12)
  const openId = await openIdOfBuyer()
  const replayed = await finalTrade(openId)
  const { notifyId } = JSON.parse(await type(`npx souk callbacks list --appid ${demo.appid} --json`)).find(
    (callback: { tradeNo: string }) => callback.tradeNo === replayed,
  )
  for (const command of commands) {
    await type(command, {
      APPID: demo.appid,
      BUYER: demo.users[0]!.uid,
      TRADENO: command.includes(' pay ') ? await newTrade(openId) : '',
      NOTIFYID: notifyId,
    })
  }
})

test('the commands of the guide to keys rotate master keys and the admin token', async () => {
  const scripts = [...(await document('docs/guides/keys.md')).matchAll(/```sh\n(.*?)```/gs)]
  expect(await type(scripts[0]![1]!)).toContain('The rotation has started.')
  expect(await type(scripts[1]![1]!)).toMatch(
    /stored in .*admin-token:\nsouk_admin_[\w-]{43}\nThe admin token is accepted/,
  )
  expect(scripts).toHaveLength(2)
})

test('every command of the platform data API guide works as documented', async () => {
  const guide = await document('docs/guides/platform-api.md')
  const scripts = [...guide.matchAll(/```sh\n(.*?)```/gs)].map(([, script]) => script!)
  const { key, project } = await ownerWithKey()
  const variables: Record<string, string> = { SOUK_API_KEY: key, PROJECT: project }
  let ran = 0
  for (const script of scripts) {
    if (script.startsWith('export SOUK_API_KEY=')) continue
    const printed = await type(script, variables)
    if (script.includes('datasets create')) variables.DATASET = /dataset\s+([0-9a-f]{32})/.exec(printed)![1]!
    if (script.includes('datasets append')) expect(printed).toContain('"page":"shop"')
    if (script.includes('formulas') || script.includes('--format csv')) {
      expect(await readFile('/tmp/souk-trades.csv', 'utf8')).toMatch(/^tradeNo,.*\r\n/)
    }
    ran++
  }
  expect(ran).toBeGreaterThan(6)
})

test('every command of the host guide works as documented', async () => {
  const scripts = [...(await document('docs/guides/host.md')).matchAll(/```sh\n(.*?)```/gs)].map(
    ([, script]) => script!,
  )
  const [calls, stream] = await Promise.all(scripts.map((script) => type(script)))
  expect(calls).toContain('"code":')
  expect(stream).toMatch(/event: clock\ndata: \{"now":\d+\}/)
  expect(scripts).toHaveLength(2)
})

test('the TypeScript of the guides compiles against the SDK', async () => {
  const blocks: string[] = []
  for (const path of ['docs/guides/platform-api.md']) {
    const text = await document(path)
    for (const [, block] of text.matchAll(/```ts\n(.*?)```/gs)) blocks.push(block!)
  }
  const folder = await mkdtemp(join(root, 'apps/server/test/guide-'))
  try {
    const text = `declare const projectId: string\ndeclare const datasetId: string\n${blocks.join('\n')}`
    await writeFile(join(folder, 'guide.ts'), text.replaceAll("'@souk/sdk'", "'../../../../packages/sdk/src/index.ts'"))
    const options = ['--noEmit', '--strict', '--target', 'ES2024', '--lib', 'ES2024,DOM', '--module', 'NodeNext']
    const more = [
      '--singleThreaded',
      '--allowImportingTsExtensions',
      '--skipLibCheck',
      '--types',
      'node',
      '--customConditions',
      'souk-source',
    ]
    await run(join(root, 'node_modules/.bin/tsc'), [...options, ...more, join(folder, 'guide.ts')], { cwd: root })
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('all settings that are read are listed and documented, and no others', async () => {
  const documented = (await document('docs/guides/settings.md'))
    .match(/^\| `[A-Z_0-9]+`/gm)!
    .map((row) => row.slice(3, -1))
  const read = (await document('apps/server/src/config.ts')).match(
    /\b(PORT|HOST|DATABASE_URL|(?:SOUK|OTEL)_[A-Z_0-9]+)\b/g,
  )!
  expect([...settings].sort()).toEqual([...new Set(read)].sort())
  expect(documented.sort()).toEqual([...settings].sort())
})

test('the server starts with an unknown setting, and warns of it in the terminal and in the log', () => {
  const sentence = 'Souk has no setting SOUK_PORT; it is ignored. Did you mean PORT?'
  expect(server.log()).toContain(`  Warning       ${sentence}\n`)
  const entry = server.log().match(/^\{.*"unknown setting".*$/m)
  expect(JSON.parse(entry![0])).toMatchObject({ level: 40, reason: sentence })
})

/** Creates the first administrator with an API key and a project, which a reader does in the console. */
async function ownerWithKey(): Promise<{ key: string; project: string }> {
  const token = (await readFile(join(server.dataDir, 'setup-token'), 'utf8')).trim()
  const call = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${server.url}/console/v1/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...headers },
    })
    return { cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '', body: (await answer.json()) as never }
  }
  const begun = await call('setup', { token, username: 'reader', name: 'Reader', password: 'a long enough one' })
  const { csrfToken } = begun.body as { csrfToken: string }
  const session = { Cookie: begun.cookie, 'X-Souk-CSRF': csrfToken }
  const { projectId } = (await call('projects', { name: 'Guide' }, session)).body as { projectId: string }
  const { key } = (await call('api-key/show', {}, session)).body as { key: string }
  return { key, project: projectId }
}

async function openIdOfBuyer(): Promise<string> {
  const { code } = JSON.parse(
    await type(`npx souk sandbox code --appid ${demo.appid} --uid ${demo.users[0]!.uid} --json`),
  )
  const token = await signed('oauth/mini/accessToken', { code, grantType: 'authorization_code', scope: 'user.info' })
  const answer = await fetch(`${server.url}/neuopenapi/oauth/mini/user/info?accessToken=${token.accessToken}`)
  return ((await answer.json()) as { response: { openId: string } }).response.openId
}

let order = 0
async function newTrade(openId: string): Promise<string> {
  const notifyUrl = 'http://localhost:9/callback'
  const trade = { outTradeNo: `guide-${++order}`, amount: 100, currency: 'SAR', notifyUrl, openId }
  const { tradeNo } = await signed('pay/transactions/trade', trade)
  return tradeNo!
}

async function finalTrade(openId: string): Promise<string> {
  const tradeNo = await newTrade(openId)
  await type('npx souk sandbox pay $TRADENO --uid $BUYER --outcome succeeded', {
    TRADENO: tradeNo,
    BUYER: demo.users[0]!.uid,
  })
  return tradeNo
}

async function signed(path: string, own: Record<string, string | number>): Promise<Record<string, string>> {
  const parameters = Object.entries({ appid: demo.appid, timestamp: Date.now(), ...own })
  const body = new URLSearchParams()
  for (const [name, value] of parameters) body.append(name, String(value))
  body.append('sign', signParameters(parameters, demo.secret))
  const answer = await fetch(`${server.url}/neuopenapi/${path}`, { method: 'POST', body })
  return ((await answer.json()) as { response: Record<string, string> }).response
}

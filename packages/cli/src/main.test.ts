import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** The command as its users run it: a process, its variables and files. */
const main = join(import.meta.dirname, 'main.ts')
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-cli-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

// The compile cache of `npm test` halves the processor time of a start.
const inherited = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }

function souk(args: string[], env: Record<string, string> = {}, stdin = '') {
  return new Promise<{ status: number; out: string; err: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ['--conditions=souk-source', '--disable-warning=ExperimentalWarning', main, ...args],
      { cwd: folder, env: { ...inherited, ...env } },
      (error, out, err) => resolve({ status: error ? Number(error.code) : 0, out, err }),
    )
    child.stdin!.end(stdin)
  })
}

test('reads the secret from standard input or a file', async () => {
  const args = ['sign', '--param', 'appid=a', '--param', 'timestamp=1700000000000', '--json']
  const piped = await souk([...args, '--secret-stdin'], {}, 'demo-secret\n')
  expect(piped).toMatchObject({ status: 0, err: '' })
  await mkdir(join(folder, 'below'), { recursive: true })
  await writeFile(join(folder, 'below/secret.txt'), 'demo-secret\n')
  // npm runs a command in the project's root, whichever folder it was typed in.
  const read = await souk([...args, '--secret-file', 'secret.txt'], { INIT_CWD: join(folder, 'below') })
  expect(read.out).toBe(piped.out)
  expect(await souk([...args, '--secret-file', 'gone.txt'])).toMatchObject({
    status: 2,
    out: '',
    err: '{"error":{"message":"gone.txt cannot be read: no such file.","advice":null,"code":null,"requestId":null}}\n',
  })
})

test('without an admin token, says where it looked and how to get one', async () => {
  const { status, err } = await souk(['app', 'list'], { SOUK_DATA_DIR: 'nowhere' })
  expect(status).toBe(2)
  expect(err).toContain(`${join('nowhere', 'admin-token')}: no such file`)
  expect(err).toContain('npm start')
  expect(err).toContain('SOUK_TOKEN')
  expect((await souk(['app', 'list'])).err).toContain(`${join('.souk', 'admin-token')}: no such file`)
})

test('refuses a token that cannot be sent, without showing it', async () => {
  await mkdir(join(folder, 'broken'))
  await writeFile(join(folder, 'broken/admin-token'), 'souk_admin_a\nsouk_admin_b\n')
  for (const [variable, value, source] of [
    ['SOUK_TOKEN', 'souk_sa_a\nsouk_sa_b', 'SOUK_TOKEN'],
    ['SOUK_ADMIN_TOKEN', 'souk_admin_…', 'SOUK_ADMIN_TOKEN'],
    ['SOUK_DATA_DIR', 'broken', join('broken', 'admin-token')],
  ] as const) {
    const { status, err } = await souk(['app', 'list'], { [variable]: value })
    expect(status).toBe(2)
    expect(err).toContain(`${source} contains a space, a line break or another character`)
    expect(err).not.toMatch(/souk_(sa|admin)_/)
  }
})

test('reads the token of a service account, or the admin token from its variable, the data directory, or .souk', async () => {
  const seen: (string | undefined)[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[],"next":null}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const SOUK_URL = `http://127.0.0.1:${(server.address() as { port: number }).port}/`
  for (const name of ['data', '.souk']) {
    await mkdir(join(folder, name), { recursive: true })
    await writeFile(join(folder, name, 'admin-token'), `from-${name}\n`)
    await chmod(join(folder, name, 'admin-token'), 0o600)
  }
  const list = ['app', 'list', '--json']
  expect(await souk(list, { SOUK_URL, SOUK_ADMIN_TOKEN: 'given', SOUK_DATA_DIR: 'data' })).toEqual({
    status: 0,
    out: '[]\n',
    err: '',
  })
  await souk(list, { SOUK_URL, SOUK_DATA_DIR: 'data' })
  await souk(list, { SOUK_URL })
  await souk(list, { SOUK_URL, SOUK_TOKEN: 'souk_sa_service\n', SOUK_ADMIN_TOKEN: 'given' })
  server.close()
  expect(seen).toEqual(['Bearer given', 'Bearer from-data', 'Bearer from-.souk', 'Bearer souk_sa_service'])
})

test('reads the URL of Souk from the data directory, and without a terminal does not ask for it', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[],"next":null}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await mkdir(join(folder, 'announced'))
  const { port } = server.address() as { port: number }
  await writeFile(join(folder, 'announced/url'), `http://localhost:${port}\n`)
  const env = { SOUK_ADMIN_TOKEN: 'given', SOUK_DATA_DIR: 'announced' }
  expect(await souk(['app', 'list', '--json'], env)).toEqual({ status: 0, out: '[]\n', err: '' })
  server.closeAllConnections()
  server.close()
  expect(await souk(['app', 'list'], { ...env, SOUK_DATA_DIR: 'nowhere' })).toMatchObject({
    status: 2,
    out: '',
    err: expect.stringMatching(
      /^souk: The URL of Souk is unknown: SOUK_URL is not set, and .*nowhere\/url is missing\./,
    ),
  })
})

test.skipIf(spawnSync('script', ['--version']).error)('asks for the URL of Souk on a terminal', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[],"next":null}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const typed = async (answer: string) => {
    const program = [process.execPath, '--conditions=souk-source', main, 'app', 'list', '--json'].join(' ')
    const child = spawn('script', ['--quiet', '--return', '--command', program, '/dev/null'], {
      cwd: folder,
      env: { ...inherited, SOUK_ADMIN_TOKEN: 'given', SOUK_DATA_DIR: 'nowhere' },
    })
    let screen = ''
    let hasAnswered = false
    child.stdout.on('data', (part: Buffer) => {
      screen += part
      if (hasAnswered || !screen.includes('such as http://localhost:7070: ')) return
      hasAnswered = true
      child.stdin.write(answer)
    })
    const [status] = await once(child, 'exit')
    return { status, screen }
  }
  expect(await typed(`http://localhost:${port}\r`)).toMatchObject({ status: 0, screen: expect.stringContaining('[]') })
  expect(await typed('\x03')).toMatchObject({ status: 1, screen: expect.stringContaining('Interrupted.') })
  server.closeAllConnections()
  server.close()
})

test('an interrupted souk datasets append says how many records were stored', async () => {
  let append: ReturnType<typeof spawn>
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"appended":1000}')
      append.kill('SIGINT')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const SOUK_URL = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  append = spawn(process.execPath, ['--conditions=souk-source', main, 'datasets', 'append', 'a.visits', '-'], {
    env: { ...inherited, SOUK_URL, SOUK_API_KEY: 'key-1' },
  })
  // Its standard input stays open.
  append.stdin!.write('{"page":"home"}\n'.repeat(1001))
  const [err, [status]] = await Promise.all([text(append.stderr!), once(append, 'exit')])
  server.closeAllConnections()
  server.close()
  expect([status, err]).toEqual([1, 'souk: The first 1000 records were stored, then: Interrupted.\n'])
})

// The device that is always full exists on Linux only.
if (existsSync('/dev/full')) {
  test('exits with 2 and the reason if output cannot be written', async () => {
    await writeFile(join(folder, 'pages.json'), '{"pages": []}')
    const full = await open('/dev/full', 'w')
    const child = spawn(process.execPath, ['--conditions=souk-source', main, 'pages', 'check', folder], {
      stdio: ['ignore', full.fd, 'pipe'],
    })
    const [err, [status]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
    await full.close()
    expect(status).toBe(2)
    expect(err).toContain('souk: The output cannot be written: ENOSPC')
  })
}

test('succeeds although its notes are not read', async () => {
  const args = ['--conditions=souk-source', main, 'sign', '--secret', 'demo-secret', '--param', 'appid=a', '--json']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stderr!.destroy()
  const [out, [status]] = await Promise.all([text(child.stdout!), once(child, 'exit')])
  expect([status, JSON.parse(out).canonicalString]).toEqual([0, 'appid=asecret=******'])
})

test('souk ci writes its reports and exits with its own status although its output is not read', async () => {
  await mkdir(join(folder, 'unread'))
  await writeFile(join(folder, 'unread/pages.json'), '{ "pages": [{ "path": "absent" }] }')
  const args = ['--conditions=souk-source', main, 'ci', 'unread', '--junit', 'report.xml']
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'], env: inherited })
  child.stdout!.destroy()
  const [status] = await once(child, 'exit')
  expect(status).toBe(1)
  expect(await readFile(join(folder, 'report.xml'), 'utf8')).toContain('failures="1"')
})

test('refuses a SOUK_URL that is not a URL, or has a password or a query', async () => {
  expect(await souk(['app', 'list'], { SOUK_URL: 'localhost:7070' })).toMatchObject({
    status: 2,
    err: expect.stringContaining('SOUK_URL is not an http or https URL'),
  })
  const withPassword = await souk(['app', 'list'], { SOUK_URL: 'http://user:hidden@localhost:7070' })
  expect(withPassword).toMatchObject({ status: 2, err: expect.stringContaining('SOUK_URL contains a user name') })
  expect(withPassword.err).not.toContain('hidden')
  for (const url of ['http://localhost:7070/?a=hidden', 'http://localhost:7070/#hidden']) {
    const withQuery = await souk(['app', 'list'], { SOUK_URL: url })
    expect(withQuery.err).toContain('SOUK_URL has a query or a fragment after http://localhost:7070/')
    expect(withQuery).toMatchObject({ status: 2, err: expect.not.stringContaining('hidden') })
  }
  for (const url of ['ftp://user:hidden@localhost', 'user:hidden@localhost', 'http://user:hid/den@localhost']) {
    expect((await souk(['app', 'list'], { SOUK_URL: url })).err).not.toMatch(/hid/)
  }
})

test('a build ends with an exit status although a plug-in of the project throws and leaves a timer', async () => {
  await mkdir(join(folder, 'hanging'), { recursive: true })
  await writeFile(join(folder, 'hanging/pages.json'), '{ "pages": [{ "path": "a" }] }')
  await writeFile(join(folder, 'hanging/a.vue'), '<template><view /></template>')
  const plugin = `{ name: 'mine', configResolved() { setInterval(() => {}, 1000); throw new Error('no such theme') } }`
  await writeFile(join(folder, 'hanging/vite.config.mjs'), `export default { plugins: [${plugin}] }`)
  const { status, err } = await souk(['build', 'hanging'])
  expect(status).toBe(2)
  expect(err).toContain('no such theme')
})

test('what plug-ins of a project log is not part of the result', async () => {
  await mkdir(join(folder, 'logging'), { recursive: true })
  await writeFile(join(folder, 'logging/pages.json'), '{ "pages": [{ "path": "a" }] }')
  await writeFile(join(folder, 'logging/a.vue'), '<template><view /></template>')
  await writeFile(join(folder, 'logging/vite.config.mjs'), `console.log('theme: dark')\nexport default {}`)
  const { status, out, err } = await souk(['build', 'logging', '--json'])
  expect([status, JSON.parse(out).platform]).toEqual([0, 'App'])
  expect(err).toContain('theme: dark')
})

test('souk inspect leaves no empty file, also if it is interrupted again at once', async () => {
  let inspect: ReturnType<typeof spawn>
  const server = createServer((request, response) => {
    if (request.method === 'GET') return response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    const hasEnded = !request.url!.endsWith('/inspections')
    // As npm and the script of a clone do, which pass Ctrl-C on.
    if (hasEnded) inspect.kill('SIGINT')
    const answer = hasEnded ? true : { inspectionId: '0'.repeat(32), code: 'souk_inspect_1', validUntil: 1 }
    setTimeout(() => response.end(JSON.stringify(answer)), 300)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const SOUK_URL = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const args = ['--conditions=souk-source', '--disable-warning=ExperimentalWarning', main, 'inspect']
  inspect = spawn(process.execPath, [...args, '--appid', 'aaaaaaaaaaaaaaa', '--record', 'session.jsonl', '--json'], {
    cwd: folder,
    env: { ...inherited, SOUK_URL, SOUK_ADMIN_TOKEN: 'admin' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await once(inspect.stdout!, 'data')
  expect(existsSync(join(folder, 'session.jsonl'))).toBe(true)
  inspect.kill('SIGINT')
  expect(await once(inspect, 'exit')).toEqual([1, null])
  expect(existsSync(join(folder, 'session.jsonl'))).toBe(false)
  server.closeAllConnections()
  server.close()
})

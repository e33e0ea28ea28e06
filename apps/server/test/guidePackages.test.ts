import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { glob, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { minute } from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningServer, startServer } from './server.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

/** Documents whose commands other tests run. */
const runElsewhere: Record<string, string> = {
  'README.md': 'apps/server/test/documentation.test.ts',
  'docs/guides/events.md': 'apps/server/test/documentation.test.ts',
  'docs/guides/first-payment.md': 'apps/server/test/documentation.test.ts',
  'docs/guides/high-availability.md': 'apps/server/test/ha/guide.test.ts',
  'docs/guides/host.md': 'apps/server/test/documentation.test.ts',
  'docs/guides/keys.md': 'apps/server/test/documentation.test.ts',
  'docs/guides/live.md': 'apps/server/test/package.test.ts',
  'docs/guides/login-and-payment.md': 'packages/cli/src/miniAppsGuide.test.ts',
  'docs/guides/mini-apps.md': 'packages/cli/src/miniAppsGuide.test.ts',
  'docs/guides/pages-json.md': 'packages/cli/src/pages/guide.test.ts',
  'docs/guides/platform-api.md': 'apps/server/test/documentation.test.ts',
  'docs/guides/sandbox.md': 'apps/server/test/documentation.test.ts',
  'docs/guides/users.md': 'apps/server/test/documentation.test.ts',
}

/** Blocks of commands that no test runs as they are written: the start of a line in each, and why. */
const notRun: Record<string, Record<string, string>> = {
  'docs/guides/accounts.md': {
    'souk accounts list':
      'needs a mail server and an account with a second factor; mail.test.ts and factors.test.ts have them',
  },
  'docs/guides/approvals.md': { 'souk approvals': 'needs a live installation; approvals.test.ts has one' },
  'docs/guides/backup.md': {
    'age --decrypt': 'needs the program age, which Souk does not; backup.test.ts reads archives',
    'mkdir -p "$ARCHIVE/wal"': 'run by backupGuide.test.ts, with PostgreSQL of Debian',
    pg_basebackup: 'run by backupGuide.test.ts',
    'cp --recursive "$ARCHIVE/base"': 'run by backupGuide.test.ts',
    'souk storage verify': 'needs object storage; test/objectStorage.ts is one',
    'souk backup': 'run by package.test.ts',
    'souk restore': 'run by package.test.ts',
  },
  'docs/guides/command-line.md': {
    'npm install --save-dev @souk/cli': 'run as written in packages/cli/README.md',
    'npx souk fake': 'runs until it is stopped; fake.test.ts starts it for all clients',
    'export SOUK_DATA_DIR': 'set for all commands',
    'export SOUK_URL': 'set for all commands',
  },
  'docs/guides/database.md': {
    'souk move': 'needs an empty external database; move.test.ts has one',
    'DATABASE_URL=': 'settings, no commands',
  },
  'docs/guides/doctor.md': {
    'souk doctor': 'its status depends on the machine; package.test.ts runs it, as written in live.md',
  },
  'docs/guides/example.md': {
    'appid=$(node': 'serves until it is interrupted; miniAppsGuide.test.ts starts `souk dev`',
  },
  'docs/guides/growth.md': {
    'echo "SOUK_MASTER_KEY=': 'run by processes.test.ts, as are the following',
    'cp deploy/souk@.service': 'run by processes.test.ts',
    'systemctl disable --now souk': 'run by processes.test.ts',
    'export SOUK_DATA_DIR=/var/lib/souk-7071': 'run by processes.test.ts',
    'souk-restart': 'run by processes.test.ts',
    'souk partitions list': 'runs with the package of the server; tests of packages/cli have the command',
    'souk partitions verify': 'runs with the package of the server; tests of packages/cli have the command',
  },
  'docs/guides/install.md': {
    'npm install ./souk-server': 'run by package.test.ts, as written in live.md',
    'npm install --save-dev': 'needs a server of a newer version',
  },
  'docs/guides/kubernetes.md': {
    'kubectl create namespace': 'needs a cluster',
    'kubectl create secret': 'run by kubernetes/guide.test.ts',
  },
  'docs/guides/mail.md': { 'souk mail': 'needs a mail server; mail.test.ts has one' },
  'docs/guides/money.md': {
    'souk trades refund': 'needs a paid trade; e2e/money.test.ts refunds one',
    'souk reconciliations': 'needs an account at a provider; e2e/money.test.ts has one',
  },
  'docs/guides/object-storage.md': { 'souk storage': 'needs object storage; test/objectStorage.ts is one' },
  'docs/guides/providers.md': {
    'souk sandbox fake-providers': 'serves until it is interrupted, on fixed ports',
    'curl localhost:7082': 'of these servers; packages/fake-providers tests the methods',
  },
  'docs/guides/recordings.md': {
    'souk inspect': 'needs a phone; e2e/host/recording.test.ts has one',
    'souk dev --replay': 'serves until it is interrupted; packages/vite-plugin/test/replay.test.ts replays a recording',
    'souk test': 'needs a recording; packages/cli/src/commands/test.test.ts has one',
    'souk recordings': 'needs the recording of a tester; e2e/host/recording.test.ts has one',
  },
  'docs/guides/sign-on.md': { 'souk sign-on add': 'needs an identity provider; e2e/signOn.test.ts has one' },
  'docs/guides/upgrades.md': {
    'souk database migrate': 'run by startFailures.test.ts, for a server that may not migrate',
    'souk database upgrade': 'needs two versions of PostgreSQL; databaseUpgrade.test.ts has them',
  },
  'docs/guides/verify-callbacks.md': {
    'souk listen': 'serves until it is interrupted; listen has its own tests in packages/cli',
    'souk callbacks receivers': 'needs a host that has failed for five days; e2e/receivers.test.ts has one',
  },
  'docs/guides/rotate-secret.md': { 'souk sign': 'needs a signed request; tests of packages/cli check some' },
  'examples/embed/README.md': {
    'npm run dev': 'serves until it is interrupted; e2e/embedding.test.ts builds and opens these pages',
  },
  'examples/embed-flutter/README.md': { 'flutter run': 'needs Flutter, which Debian does not have' },
  'examples/embed-react-native/README.md': {
    'npx expo': 'needs the development tools of iOS or Android; embedSamples.test.ts compiles App.tsx',
  },
  'examples/node/README.md': { 'node examples/node': 'run by examples.test.ts' },
  'examples/python/README.md': { 'python3 examples/python': 'run by examples.test.ts' },
  'packages/conformance/README.md': { 'souk-conformance --url': 'run by conformance.test.ts' },
  'packages/create-miniapp/README.md': { 'npm create': 'run as written in README.md' },
  'sdks/go/README.md': {
    'go get': 'run by clientPackages.test.ts',
    'sandbox user': 'run as written in sandbox.md',
    'go test': 'run by clients.test.ts',
  },
  'sdks/java/README.md': {
    'find src/main': 'run by clients.test.ts',
    'mvn dependency': 'run by maven.test.ts',
    ConsoleLauncher: 'run by clients.test.ts',
  },
  'sdks/php/README.md': {
    'composer require': 'run by clientPackages.test.ts',
    phpunit: 'run by clients.test.ts',
  },
  'sdks/python/README.md': {
    'pip install': 'run by clientPackages.test.ts',
    'sandbox user': 'run as written in sandbox.md',
    unittest: 'run by clients.test.ts',
  },
}

let server: RunningServer
let machine: string
/** The mini app of the README, which was created and installed from the registry of the server. */
let project: string
let appid: string
/** Documents and starts of the blocks that this file has run. */
const ran: [path: string, block: string][] = []

beforeAll(async () => {
  server = await startServer()
  appid = JSON.parse(await readFile(join(server.dataDir, 'demo.json'), 'utf8')).appid
  machine = await mkdtemp(join(tmpdir(), 'souk-guides-'))
  await mkdir(join(machine, 'home'))
  const [, create] = /```sh\n(npm create .*?\n)npm run dev/s.exec(await document('README.md'))!
  await type(create!, { folder: machine })
  project = join(machine, 'my-app')
}, 10 * minute)

afterAll(async () => {
  await server?.stop()
  if (machine) await rm(machine, { recursive: true })
})

const document = (path: string) => readFile(join(root, path), 'utf8')

/** Returns the blocks of commands of a document. */
async function blocksOf(path: string): Promise<string[]> {
  const blocks = [...(await document(path)).matchAll(/^```([^\n]*)\n(.*?)^```/gms)]
  const isCommand = (language: string, text: string) =>
    /^sh\b/.test(language) || (language === '' && /^(?:\w+=\S* )*(?:npm|npx|souk) /m.test(text))
  return blocks.filter(([, language, text]) => isCommand(language!, text!)).map(([, , text]) => text!)
}

interface Options {
  /** Working directory: that of the mini app by default. */
  folder?: string
  variables?: Record<string, string>
  /** Values that the reader enters for placeholders such as `<appid>`. */
  values?: Record<string, string>
}

/** Types commands on a machine that has the packages of the registry, and nothing else of Souk. */
async function type(script: string, { folder = project, variables = {}, values = {} }: Options = {}): Promise<string> {
  let text = script.replaceAll('http://localhost:7070', server.url).replaceAll('.souk/', `${server.dataDir}/`)
  for (const [name, value] of Object.entries(values)) text = text.replaceAll(name, value)
  // Without the programs of this repository: developers of mini apps may have Node 20.
  const folders = process.env.PATH!.split(delimiter).filter((path) => !path.startsWith(root))
  const env = {
    PATH: [...(project ? [join(project, 'node_modules/.bin')] : []), ...folders].join(delimiter),
    HOME: join(machine, 'home'),
    SOUK_URL: server.url,
    SOUK_DATA_DIR: server.dataDir,
    ...variables,
  }
  const typing = run('bash', ['-euo', 'pipefail', '-c', text], { cwd: folder, env, timeout: 10 * minute })
  // npm would ask a person before it installs a package to run it.
  typing.child.stdin!.end()
  return (await typing).stdout
}

/** Runs the next block of a guide. */
async function typeBlock(path: string, start: string, options?: Options): Promise<string> {
  const found = (await blocksOf(path)).filter((block) => block.includes(start))
  expect([start, found.length]).toEqual([start, 1])
  ran.push([path, found[0]!])
  return type(found[0]!, options)
}

const soukJson = async (command: string) => JSON.parse(await type(`souk ${command} --json`))

test('releases: upload, links, reviews and canary', { timeout: 10 * minute }, async () => {
  const guide = 'docs/guides/releases.md'
  const variables = { APPID: appid }
  // The command that the console shows on an empty page of releases.
  await type(`SOUK_URL=${server.url} npx souk upload --appid ${appid} --version 1.0.0 --publish`)
  const printed = await typeBlock(guide, 'souk upload', { variables })
  expect(printed).toContain('1.4.0 for App (default) uploaded')
  const [, RELEASE] = /^release +([0-9a-f]{32})/m.exec(printed)!
  const { appid: other } = await soukJson('app create --name "Coffee shop"')
  const uploaded = await typeBlock(guide, 'tar -czf', { variables: { APPID: other } })
  expect(JSON.parse(uploaded)).toMatchObject({ version: '1.4.0', stage: 'development' })
  expect(await typeBlock(guide, 'signing-keys show')).toContain('public key')
  expect(await typeBlock(guide, 'souk link', { variables })).toContain(`${server.url}/host/`)

  // The reader approves one review, and rejects another.
  await type(`souk submit --appid ${other} --version 1.4.0`)
  const script = (await blocksOf(guide)).find((block) => block.includes('souk submit'))!
  const [submit, list, show, approve, reject] = script.trim().split('\n')
  await type([submit, list, show].join('\n'), { variables })
  const { reviews } = (await soukJson('review list')) as { reviews: { appid: string; reviewId: string }[] }
  const reviewOf = (id: string) => reviews.find((review) => review.appid === id)!.reviewId
  expect(await type(approve!, { variables: { REVIEW: reviewOf(appid) } })).toContain('Approved Demo 1.4.0')
  expect(await type(reject!, { variables: { REVIEW: reviewOf(other) } })).toContain('Rejected Coffee shop 1.4.0')
  ran.push([guide, script])

  expect(await typeBlock(guide, 'souk canary', { variables })).toContain('Published 1.4.0 for App.')
  const maps = await typeBlock('docs/guides/analytics.md', 'source-maps', {
    variables: { ...variables, RELEASE: RELEASE! },
  })
  expect(maps).toContain('source maps uploaded')
})

test('pipelines check, build, measure and submit with the token of a service account', {
  timeout: 10 * minute,
}, async () => {
  const [{ projectId }] = await soukJson('project list')
  const guide = 'docs/guides/service-accounts.md'
  const script = (await blocksOf(guide)).find((block) => block.includes('service-accounts add'))!
  const [add, list, remove] = script.trim().split('\n')
  const values: Record<string, string> = { '<projectId>': projectId }
  const [token] = /souk_sa_\S+/.exec(await type(add!, { values }))!
  expect(await type(list!, { values })).toContain('releases:write')
  const [{ serviceAccountId }] = await soukJson(`service-accounts list --project ${projectId}`)

  const variables = { SOUK_TOKEN: token }
  const submitted = await typeBlock('docs/guides/ci.md', 'npx souk ci', {
    variables,
    values: { demoapp00000001: appid, '1.4.0': '1.6.0' },
  })
  expect(submitted).toContain('1.6.0 for App submitted')
  await type(remove!, { values: { ...values, '<serviceAccountId>': serviceAccountId } })
  const answer = await fetch(`${server.url}/console/v1/apps/${appid}/releases`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  expect(answer.status).toBe(401)
  ran.push([guide, script])
})

test('archive: mini apps are archived, restored and deleted', async () => {
  const guide = 'docs/guides/archive.md'
  const { appid: shop } = await soukJson('app create --name "Coffee shop"')
  const values = { '<appid>': shop }
  expect(await typeBlock(guide, 'app archive', { values })).toContain(`Restored ${shop}`)
  await type(`souk app archive ${shop}`)
  expect(await typeBlock(guide, 'app delete', { values })).toContain(`Deleted ${shop}`)
  const [{ projectId }] = await soukJson('project list')
  const trades = await typeBlock(guide, 'curl', { values: { '<projectId>': projectId } })
  expect(JSON.parse(trades)).toMatchObject({ items: [] })
})

test('operations: projects and the audit log', async () => {
  const [{ projectId }] = await soukJson('project list')
  const projects = await typeBlock('docs/guides/accounts.md', 'project list', {
    values: { '<projectId>': projectId },
  })
  expect(projects).toContain('Coffee shop')

  const guide = 'docs/guides/audit.md'
  const script = (await blocksOf(guide)).find((block) => block.includes('souk audit'))!
  const [save, verify, verifyHead] = script.trim().split('\n')
  await type(save!)
  const [head] = /[0-9a-f]{64}/.exec(await type(verify!))!
  expect(await type(verifyHead!, { values: { '<hash>': head } })).toContain('Verified')
  ran.push([guide, script])
})

test('uni-app projects: what they use is listed', async () => {
  const report = await typeBlock('docs/guides/from-uni-app.md', 'souk migrate')
  expect(report).toContain('uni-app with Vue 3')
  expect(await typeBlock('docs/guides/from-neu.md', 'souk migrate')).toBe(report)
  expect(await typeBlock('docs/guides/from-wechat.md', 'souk migrate')).toContain(report)
})

test('backends: a mini app answers errors with HTTP 200, and its secret is rotated', async () => {
  const errorOf = () => fetch(`${server.url}/neuopenapi/pay/transactions/tradedetail?appid=${appid}`)
  expect((await errorOf()).status).toBe(400)
  await typeBlock('docs/guides/backend.md', '--http-200', { values: { '<appid>': appid } })
  expect((await errorOf()).status).toBe(200)

  const guide = 'docs/guides/rotate-secret.md'
  const values = { '<appid>': appid }
  expect(await typeBlock(guide, '--overlap 24h', { values })).toContain('valid for another 1 d')
  expect(await typeBlock(guide, '--overlap 0s', { values })).toContain('no longer valid')
})

test('packages of the guides are installed from the registry', { timeout: 10 * minute }, async () => {
  const folder = join(machine, 'backend')
  await mkdir(folder)
  await type('npm init --yes', { folder })
  await typeBlock('docs/guides/embedding-web.md', 'npm install @souk/host', { folder })
  await typeBlock('packages/sdk/README.md', 'npm install @souk/sdk', { folder })
  await typeBlock('packages/host/README.md', 'npm install @souk/host', { folder })
  await typeBlock('packages/cli/README.md', 'npm install --save-dev @souk/cli', { folder })
  expect(await type('npx souk --help', { folder })).toContain('souk')
  const [, command] = /`(npm install --global @souk\/language-server\s+\S+)`/.exec(
    await document('docs/guides/pages-json.md'),
  )!
  const script = (await blocksOf('packages/language-server/README.md'))[0]!
  expect(script).toContain(command!.replaceAll(/\s+/g, ' '))
  // In this folder, because a global installation would change the machine.
  const here = script.replace(' --global', '').replace('\nsouk-', '\nnpx souk-')
  const printed = await type(`exec 2>&1\n${here}`, { folder })
  expect(printed).toContain('usage')
  ran.push(['packages/language-server/README.md', script])
  for (const name of ['host', 'sdk']) expect(existsSync(join(folder, 'node_modules/@souk', name))).toBe(true)
})

test('every block of commands in guides and READMEs is run by a test, or has a reason why not', async () => {
  const documents = glob(['README.md', 'docs/guides/*.md', '{examples,packages,sdks}/*/README.md'], { cwd: root })
  for await (const path of documents) {
    const other = runElsewhere[path]
    if (other) {
      expect(await document(other)).toContain(path)
      continue
    }
    const reasons = Object.keys(notRun[path] ?? {})
    const blocks = await blocksOf(path)
    for (const reason of reasons) expect([path, reason, blocks.some((block) => block.includes(reason))]).toContain(true)
    const left = blocks.filter(
      (block) =>
        !ran.some((each) => each[0] === path && each[1] === block) && !reasons.some((start) => block.includes(start)),
    )
    expect([path, left]).toEqual([path, []])
  }
})

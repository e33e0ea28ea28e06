import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

/** Returns the text with `added` after the first occurrence of `mark`. */
const insertAfter = (mark: string, added: string) => (text: string) => {
  if (!text.includes(mark)) throw new Error(`the file does not contain ${mark}`)
  return text.replace(mark, mark + added)
}
const create = (text: string) => () => text

/** An operation that counts the rows of a table. */
interface Sample {
  id: string
  /** Name of the operations of its surface, and of those that are declared in the same file. */
  operations: string
  declaredIn: [path: string, name: string]
  /** Folder of its domain. */
  domain: string
  table: string
  caller: string
  /** Properties of the declaration by which the samples differ. */
  declaration: string
}

/** Returns the edits that "Adding an operation" in ARCHITECTURE.md describes, by path. */
function recipeOf(sample: Sample): Record<string, (text: string) => string> {
  const { id, operations, declaredIn, domain, table, caller, declaration } = sample
  const [path, name] = declaredIn
  const declared = `
  ${id}: operation({
    id: '${id}',
    method: 'GET',
    summary: 'Count',
    example: { unit: 'row' },
    result: Type.Object({ count: Type.Integer() }),
    clientTypes: { result: { name: 'Count', description: 'A number of rows.' } },
    errors: [],
    redact: [],
    ${declaration}
  }),`
  const verb = `import type { ${operations}, ParametersOf, ResultOf } from '@souk/contract'
import type { ${caller} } from '../../caller.ts'
import type { Context } from '../../context.ts'

type Operation = typeof ${operations}.${id}

/** Counts the rows of ${table}. */
export async function ${id}(
  context: Context,
  _caller: ${caller},
  _input: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const [row] = await context.sql<{ count: number }[]>\`select count(*) from ${table}\`
  return { count: row!.count }
}
`
  const verbTest = `import { afterAll, beforeAll, expect, test } from 'vitest'
import { identityContext } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { ${id} } from './${id}.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('${id} counts', async () => {
  expect(await ${id}(identityContext(database.sql), {} as never, {} as never)).toEqual({ count: 0 })
})
`
  const folder = `apps/server/src/domain/${domain}`
  return {
    [`packages/contract/src/${path}`]: insertAfter(`export const ${name} = {`, declared),
    [`${folder}/${id}.ts`]: create(verb),
    [`${folder}/${id}.test.ts`]: create(verbTest),
    [`${folder}/index.ts`]: insertAfter('', `export { ${id} } from './${id}.ts'\n`),
  }
}

const unit = 'unit: Type.String({ maxLength: 8 })'

const samples: Sample[] = [
  {
    id: 'countOrders',
    operations: 'openOperations',
    declaredIn: ['open/trades.ts', 'tradeOpenOperations'],
    domain: 'money/trades',
    table: 'trades',
    caller: 'AppCaller',
    declaration: `surface: 'open', auth: 'sign', path: '/neuopenapi/pay/transactions/count',
      parameters: Type.Object({ ...signed, ${unit} }),`,
  },
  {
    id: 'countDatasets',
    operations: 'platformOperations',
    declaredIn: ['platform/datasets.ts', 'datasetOperations'],
    domain: 'miniApps/datasets',
    table: 'datasets',
    caller: 'ConsoleCaller',
    declaration: `surface: 'platform', auth: 'apiKey', path: '/api/v1/projects/{projectId}/dataset-count',
      access: { action: 'dataset.read', by: 'projectId' }, parameters: Type.Object({ projectId: ProjectId, ${unit} }),`,
  },
  {
    id: 'countFeedback',
    operations: 'hostOperations',
    declaredIn: ['host/feedback.ts', 'feedbackHostOperations'],
    domain: 'miniApps/feedback',
    table: 'feedback',
    caller: 'HostUserCaller',
    declaration: `...host, path: '/host/v1/feedback-count', parameters: Type.Object({ ${unit} }),`,
  },
  {
    id: 'countApps',
    operations: 'consoleOperations',
    declaredIn: ['console/apps.ts', 'appOperations'],
    domain: 'miniApps/apps',
    table: 'apps',
    caller: 'ConsoleCaller',
    declaration: `...console, path: '/console/v1/projects/{projectId}/app-count',
      access: { action: 'app.read', by: 'projectId' }, parameters: Type.Object({ projectId: ProjectId, ${unit} }),`,
  },
]

/** A copy of the sources that depend on the operations; everything else is linked. */
let copy: string

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'souk-recipe-'))
  const copied = ['packages/contract', 'packages/sdk', 'apps/server', 'sdks/generator', 'docs/spec']
  const filter = (path: string) => !/^(node_modules|dist|.*\.tsbuildinfo)$/.test(basename(path))
  for (const folder of copied) await cp(join(root, folder), join(copy, folder), { recursive: true, filter })
  for (const file of ['package.json', 'tsconfig.base.json', 'sdks/generate.ts'])
    await cp(join(root, file), join(copy, file))
  for (const folder of ['bench', 'e2e', 'examples', 'setup']) await symlink(join(root, folder), join(copy, folder))

  await mkdir(join(copy, 'node_modules/@souk'), { recursive: true })
  const linkAll = async (from: string, to: string, except: string[] = []) => {
    for (const name of await readdir(join(root, from))) {
      if (!except.includes(name)) await symlink(join(root, from, name), join(copy, to, name))
    }
  }
  await linkAll('node_modules', 'node_modules', ['@souk', '.cache', '.vite'])
  await linkAll('packages', 'packages', ['contract', 'sdk'])
  await linkAll('docs', 'docs', ['spec'])
  for (const name of await readdir(join(copy, 'packages'))) {
    await symlink(join(copy, 'packages', name), join(copy, 'node_modules/@souk', name))
  }
})
afterAll(() => rm(copy, { recursive: true, force: true }))

/** Runs Node in the copy and returns its output. @throws Error with the output if it fails */
function run(...args: string[]): Promise<string> {
  const env = { ...process.env, TEMPLATE_URL: inject('templateUrl') }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: copy, env, maxBuffer: 2 ** 25 }, (failure, out, err) =>
      failure ? reject(new Error(`${args.join(' ')} failed:\n${(out + err).slice(-5_000)}`)) : resolve(out),
    )
  })
}

const vitestConfig = `import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 1,
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ['--conditions=souk-source', '--disable-warning=ExperimentalWarning'],
    globalSetup: ['provide.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
`

test('an operation is added by editing four files, as ARCHITECTURE.md describes', async () => {
  const architecture = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8')
  const section = architecture.split('## Adding an operation\n')[1]!.split('\n## ')[0]!
  expect(section).toContain('Four files')

  for (const sample of samples) {
    const edits = recipeOf(sample)
    expect(Object.keys(edits), sample.id).toHaveLength(4)
    for (const [path, edit] of Object.entries(edits)) {
      const text = await readFile(join(copy, path), 'utf8').catch(() => '')
      await writeFile(join(copy, path), edit(text))
    }
  }
  const generate = `import contract from './packages/contract/generate.ts'
    import clients from './sdks/generate.ts'
    console.log(JSON.stringify({ ...contract(), ...clients() }))`
  const generated: Record<string, string> = JSON.parse(
    await run('--conditions=souk-source', '--input-type=module', '--eval', generate),
  )
  for (const { id } of samples) expect(generated['packages/contract/openapi.json']).toContain(id)
  expect(generated['sdks/python/souk/operations.py']).toContain('"""Count.\n')
  for (const [path, text] of Object.entries(generated)) {
    if (path.startsWith('packages/')) await writeFile(join(copy, path), text)
  }

  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  for (const project of ['packages/contract/tsconfig.test.json', 'packages/sdk/tsconfig.test.json', 'apps/server']) {
    // Several threads take nearly twice the processor time, since each checks the types that it uses.
    await run(tsc, '--noEmit', '--singleThreaded', '--incremental', 'false', '--project', project)
  }

  await writeFile(join(copy, 'vitest.config.ts'), vitestConfig)
  await writeFile(
    join(copy, 'provide.ts'),
    "export default ({ provide }) => provide('templateUrl', process.env.TEMPLATE_URL)",
  )
  await run(
    '--conditions=souk-source',
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=dot',
    '--reporter=json',
    '--outputFile.json=report.json',
    `--testNamePattern=${samples.map(({ id }) => id).join('|')}|open-api.md|every operation|printing a result`,
    ...samples.map(({ id, domain }) => `apps/server/src/domain/${domain}/${id}.test.ts`),
    'apps/server/test/http/authorization.test.ts',
    'apps/server/test/http/platformAuthorization.test.ts',
    'apps/server/src/surfaces/open/ambiguity.test.ts',
    'packages/sdk/src/souk.test.ts',
    'packages/sdk/src/redaction.test.ts',
    'docs/spec/examples.test.ts',
  )
  const { testResults } = JSON.parse(await readFile(join(copy, 'report.json'), 'utf8'))
  const passed = testResults.filter(({ assertionResults }: { assertionResults: { status: string }[] }) =>
    assertionResults.some(({ status }) => status === 'passed'),
  )
  expect(passed).toHaveLength(samples.length + 5)
})

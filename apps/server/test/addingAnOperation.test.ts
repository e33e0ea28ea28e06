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

/** Returns the sources of a verb that counts the rows of a table, and of its test. */
function countingVerb(id: string, operations: string, table: string): { verb: string; verbTest: string } {
  const verb = `import type { ${operations}, ParametersOf, ResultOf } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'

type Operation = typeof ${operations}.${id}

/** Counts the rows of ${table}. */
export async function ${id}(
  context: Context,
  _caller: ConsoleCaller,
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
  const input = { projectId: 'f'.repeat(32), unit: 'row' }
  expect(await ${id}(identityContext(database.sql), { kind: 'admin' }, input)).toEqual({ count: 0 })
})
`
  return { verb, verbTest }
}

const declaration = (id: string, surface: string, path: string, action: string) => `
  ${id}: operation({
    ...${surface},
    id: '${id}',
    method: 'GET',
    path: '${path}',
    summary: 'Count',
    access: { action: '${action}', by: 'projectId' },
    parameters: Type.Object({ projectId: ProjectId, unit: Type.String({ maxLength: 8 }) }),
    example: { unit: 'row' },
    result: Type.Object({ count: Type.Integer() }),
    errors: [],
    redact: [],
  }),`

const countApps = countingVerb('countApps', 'consoleOperations', 'apps')
const countDatasets = countingVerb('countDatasets', 'platformOperations', 'datasets')

/** The files that "Adding an operation" in ARCHITECTURE.md tells to edit, for a sample operation of each surface. */
const recipes: Record<string, Record<string, (text: string) => string>> = {
  countApps: {
    'packages/contract/src/console/apps.ts': insertAfter(
      'export const appOperations = {',
      declaration('countApps', 'console', '/console/v1/projects/{projectId}/app-count', 'app.read'),
    ),
    'apps/server/src/domain/miniApps/apps/countApps.ts': create(countApps.verb),
    'apps/server/src/domain/miniApps/apps/countApps.test.ts': create(countApps.verbTest),
    'apps/server/src/domain/miniApps/apps/index.ts': insertAfter('', "export { countApps } from './countApps.ts'\n"),
  },
  countDatasets: {
    'packages/contract/src/platform/datasets.ts': insertAfter(
      'export const datasetOperations = {',
      declaration('countDatasets', 'platform', '/api/v1/projects/{projectId}/dataset-count', 'dataset.read'),
    ),
    'apps/server/src/domain/miniApps/datasets/countDatasets.ts': create(countDatasets.verb),
    'apps/server/src/domain/miniApps/datasets/countDatasets.test.ts': create(countDatasets.verbTest),
    'apps/server/src/domain/miniApps/datasets/index.ts': insertAfter(
      '',
      "export { countDatasets } from './countDatasets.ts'\n",
    ),
  },
}

/** A copy of the sources that depend on the operations; everything else is linked. */
let copy: string

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'souk-recipe-'))
  const copied = ['packages/contract', 'packages/sdk', 'apps/server']
  const filter = (path: string) => !/^(node_modules|dist|.*\.tsbuildinfo)$/.test(basename(path))
  for (const folder of copied) await cp(join(root, folder), join(copy, folder), { recursive: true, filter })
  for (const file of ['package.json', 'tsconfig.base.json']) await cp(join(root, file), join(copy, file))
  for (const folder of ['bench', 'docs', 'e2e', 'examples', 'setup'])
    await symlink(join(root, folder), join(copy, folder))

  await mkdir(join(copy, 'node_modules/@souk'), { recursive: true })
  const linkAll = async (from: string, to: string, except: string[] = []) => {
    for (const name of await readdir(join(root, from))) {
      if (!except.includes(name)) await symlink(join(root, from, name), join(copy, to, name))
    }
  }
  await linkAll('node_modules', 'node_modules', ['@souk', '.cache', '.vite'])
  await linkAll('packages', 'packages', ['contract', 'sdk'])
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

  for (const [id, edits] of Object.entries(recipes)) {
    expect(Object.keys(edits), id).toHaveLength(4)
    for (const [path, edit] of Object.entries(edits)) {
      const text = await readFile(join(copy, path), 'utf8').catch(() => '')
      await writeFile(join(copy, path), edit(text))
    }
  }
  const generate = "import generate from './packages/contract/generate.ts'; console.log(JSON.stringify(generate()))"
  const generated: Record<string, string> = JSON.parse(
    await run('--conditions=souk-source', '--input-type=module', '--eval', generate),
  )
  for (const id of Object.keys(recipes)) expect(generated['packages/contract/openapi.json']).toContain(id)

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
  const report = await run(
    '--conditions=souk-source',
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=json',
    '--testNamePattern=countApps|countDatasets',
    ...['apps', 'datasets'].map((domain) => `apps/server/src/domain/miniApps/${domain}/count`),
    'apps/server/test/http/authorization.test.ts',
    'apps/server/test/http/platformAuthorization.test.ts',
  )
  expect(JSON.parse(report)).toMatchObject({ success: true, numPassedTests: 4 })
})

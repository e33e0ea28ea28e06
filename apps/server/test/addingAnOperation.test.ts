import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyRepository, type RepositoryCopy } from './repositoryCopy.ts'

const root = join(import.meta.dirname, '../../..')

/** An operation that counts the rows of a table. */
interface Sample {
  id: string
  /** File of the contract that declares it. */
  subject: string
  /** Folder of its domain. */
  domain: string
  table: string
}

const samples: Sample[] = [
  { id: 'countOrders', subject: 'open/trades', domain: 'money/trades', table: 'trades' },
  { id: 'countDatasets', subject: 'platform/datasets', domain: 'miniApps/datasets', table: 'datasets' },
  { id: 'countFeedback', subject: 'host/feedback', domain: 'miniApps/feedback', table: 'feedback' },
  { id: 'countApps', subject: 'console/apps', domain: 'miniApps/apps', table: 'apps' },
]

/** Writes the stubs of a sample, and replaces them: it has a parameter, and reads its table. */
async function add({ id, subject, domain, table }: Sample): Promise<void> {
  const written = await copy.run('setup/new.mjs', 'operation', subject, domain, id)
  expect(written.match(/^wrote /gm), id).toHaveLength(4)
  await replace(`packages/contract/src/${subject}.ts`, [
    [
      /(?<=parameters: Type.Object\(\{)(?=.*\}\),\n {4}result: Type.Object\(\{ count)/,
      ' unit: Type.String({ maxLength: 8 }),',
    ],
    [/(?=\n {4}result: Type.Object\(\{ count)/, "\n    example: { unit: 'row' },"],
  ])
  await replace(`apps/server/src/domain/${domain}/${id}.ts`, [
    [
      '  return { count: 0 }',
      `  const [row] = await context.sql<{ count: number }[]>\`select count(*) from ${table}\`\n  return row!`,
    ],
    ['_context', 'context'],
  ])
}

async function replace(path: string, changes: [before: string | RegExp, after: string][]): Promise<void> {
  let text = await readFile(join(copy.folder, path), 'utf8')
  for (const [before, after] of changes) {
    const changed = text.replace(before, () => after)
    if (changed === text) throw new Error(`${path} does not contain ${before}`)
    text = changed
  }
  await writeFile(join(copy.folder, path), text)
}

let copy: RepositoryCopy

beforeAll(async () => {
  copy = await copyRepository([
    'packages/contract',
    'packages/sdk',
    'apps/server',
    'sdks/generator',
    'sdks/generate.ts',
    'docs/spec',
  ])
})
afterAll(() => copy.remove())

test('an operation is added by editing four files, as ARCHITECTURE.md describes', async () => {
  const architecture = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8')
  const section = architecture.split('## Adding an operation\n')[1]!.split('\n## ')[0]!
  expect(section).toContain('Four files')

  for (const sample of samples) await add(sample)
  const generate = `import contract from './packages/contract/generate.ts'
    import clients from './sdks/generate.ts'
    console.log(JSON.stringify({ ...contract(), ...clients() }))`
  const generated: Record<string, string> = JSON.parse(
    await copy.run('--conditions=souk-source', '--input-type=module', '--eval', generate),
  )
  for (const { id } of samples) expect(generated['packages/contract/openapi.json']).toContain(id)
  expect(generated['sdks/python/souk/operations.py']).toContain('"""Count datasets.\n')
  for (const [path, text] of Object.entries(generated)) {
    if (path.startsWith('packages/')) await writeFile(join(copy.folder, path), text)
  }

  for (const project of ['packages/contract/tsconfig.test.json', 'packages/sdk/tsconfig.test.json', 'apps/server']) {
    await copy.checkTypes(project)
  }
  const names = `${samples.map(({ id }) => id).join('|')}|open-api.md|every operation|printing a result`
  const passed = await copy.runTests(names, [
    ...samples.map(({ id, domain }) => `apps/server/src/domain/${domain}/${id}.test.ts`),
    'apps/server/test/http/authorization.test.ts',
    'apps/server/test/http/platformAuthorization.test.ts',
    'apps/server/src/surfaces/open/ambiguity.test.ts',
    'packages/sdk/src/souk.test.ts',
    'packages/sdk/src/redaction.test.ts',
    'docs/spec/examples.test.ts',
  ])
  expect(passed).toBe(samples.length + 5)
})

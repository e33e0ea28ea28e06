import { readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyRepository, type RepositoryCopy } from './repositoryCopy.ts'

const root = join(import.meta.dirname, '../../..')
const adapters = 'apps/server/src/domain/money/payments/adapters'

const filesOf = (name: string) => [
  ...['description.ts', `${name}.ts`, 'declines.ts', 'guide.md', 'expected.ts'].map(
    (file) => `${adapters}/${name}/${file}`,
  ),
  `packages/fake-providers/src/${name}.ts`,
]

let copy: RepositoryCopy

beforeAll(async () => {
  copy = await copyRepository([
    'packages/contract',
    'packages/fake-providers',
    'packages/cli',
    'apps/server',
    'docs/guides',
  ])
})
afterAll(() => copy.remove())

const generate = `import generate from './setup/providers.mjs'
  import { writeFileSync } from 'node:fs'
  const files = await generate()
  for (const [path, text] of Object.entries(files)) writeFileSync(path, text)
  console.log(Object.keys(files).join())`
const runGenerate = () => copy.run('--conditions=souk-source', '--input-type=module', '--eval', generate)

test('a provider is added by its folder, its fake and one line, as ARCHITECTURE.md describes', async () => {
  const written = await copy.run('setup/new.mjs', 'provider', 'acme')
  const paths = Array.from(written.matchAll(/^wrote (.*)$/gm), ([, path]) => path!)
  const architecture = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8')
  const section = architecture.split('## Adding a payment provider\n')[1]!.split('\n## ')[0]!
  expect(section).toContain('Six files and one line')
  expect(paths).toEqual([...filesOf('acme'), `${adapters}/registry.ts`])
  for (const path of paths) expect(section).toContain(basename(path).replace('acme', '<name>'))
  const before = (await readFile(join(root, adapters, 'registry.ts'), 'utf8')).split('\n')
  const after = (await readFile(join(copy.folder, adapters, 'registry.ts'), 'utf8')).split('\n')
  expect(after.length - before.length).toBe(1)

  // The stubs of another provider show that they compile. Acme speaks the protocol of PayTabs.
  await copy.run('setup/new.mjs', 'provider', 'stub')
  for (const path of paths.slice(0, -1)) {
    const text = await readFile(join(root, path.replaceAll('acme', 'paytabs')), 'utf8')
    const renamed = text.replaceAll('paytabs', 'acme').replaceAll('Paytabs', 'Acme').replaceAll('PayTabs', 'Acme')
    await writeFile(join(copy.folder, path), renamed)
  }
  await runGenerate()
  await copy.checkTypes('apps/server')

  const [openapi, guide] = await Promise.all([
    copy.run('--conditions=souk-source', '--print', "JSON.stringify(require('@souk/contract').openapi())"),
    readFile(join(copy.folder, 'docs/guides/providers.md'), 'utf8'),
  ])
  expect(openapi).toContain('must be one of checkout, stripe, paytabs, acme, stub, sandbox')
  expect(guide).toContain('### Acme\n')
  const help = await copy.run(
    '--conditions=souk-source',
    'packages/cli/src/main.ts',
    'sandbox',
    'fake-providers',
    '--help',
  )
  expect(help).toContain('PayTabs, Acme and Stub')

  const passed = await copy.runTests('^acme|payment provider acme|payment providers exclude', [
    `${adapters}/adapters.test.ts`,
    'apps/server/test/http/providers.test.ts',
    'apps/server/test/http/unknownAnswers.test.ts',
    'apps/server/test/monitoring.test.ts',
  ])
  expect(passed).toBe(4)
})

test('a provider that is missing somewhere is named, with what to do', async () => {
  for (const path of filesOf('paytabs')) {
    const text = await readFile(join(copy.folder, path))
    await rm(join(copy.folder, path))
    await expect(runGenerate()).rejects.toThrow(`Add ${path} for the provider paytabs: `)
    await writeFile(join(copy.folder, path), text)
  }
  const registry = join(copy.folder, adapters, 'registry.ts')
  const lines = await readFile(registry, 'utf8')
  await writeFile(registry, lines.replace(/^.* as paytabs .*\n/m, ''))
  await expect(runGenerate()).rejects.toThrow(`Add the provider paytabs to ${adapters}/registry.ts`)
  await writeFile(registry, lines)
})

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyRepository, type RepositoryCopy } from './repositoryCopy.ts'

const root = join(import.meta.dirname, '../../..')
const shell = 'packages/shell/src'

let copy: RepositoryCopy

beforeAll(async () => {
  copy = await copyRepository(['packages/pages', 'packages/shell', 'packages/host-view', 'docs', 'setup/vueTypes.cjs'])
})
afterAll(() => copy.remove())

test('an attribute is drawn by two files beside the rule, as ARCHITECTURE.md describes', async () => {
  const architecture = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8')
  expect(architecture).toMatch(/\| drawn attribute of a bar \| .+, and two: /)

  await copy.add(
    'packages/pages/src/rules/tables.ts',
    "    {\n      attribute: 'titleOverflow'",
    `    {
      attribute: 'titleSpacing',
      type: 'String',
      default: '0px',
      source: 'souk',
      shape: text('length'),
      description: 'Distance between the letters of the title.',
    },
`,
  )
  await copy.add('packages/pages/test/fixtures/everything.jsonc', '"titleOverflow"', '"titleSpacing": "2px", ')
  await copy.add(`${shell}/bars.ts`, '      titleOverflow: keyword(', '      titleSpacing: lengthUpTo(100),\n')
  await copy.add(`${shell}/bars.ts`, '    titleOverflow: titleNViewDefaults', "    titleSpacing: '0px',\n")
  await copy.add(
    `${shell}/bars.ts`,
    '    titleOverflow: bar.titleOverflow',
    '    titleSpacing: length(bar.titleSpacing, model.titleSpacing),\n',
  )
  await copy.add(
    `${shell}/NavigationBar.vue`,
    'textOverflow: model.titleOverflow',
    'letterSpacing: model.titleSpacing, ',
  )
  await writeFile(
    join(copy.folder, `${shell}/titleSpacing.test.ts`),
    `import { type PageStyle, readPages, resolve } from '@souk/pages'
import { expect, test } from 'vitest'
import { barsCheck, navigationBarModel } from './bars.ts'

test('titleSpacing reaches the bar that a host draws, unless it is no length', () => {
  const titleNView = { titleSpacing: '4px' }
  const file = readPages(JSON.stringify({ pages: [{ path: 'a', style: { 'app-plus': { titleNView } } }] }))
  const [page] = resolve(file, { platform: 'App', os: 'iOS' }).pages
  const environment = { platform: 'App', os: 'iOS', base: 'https://app.test/', canGoBack: false } as const
  const navigationBar = navigationBarModel(page!.style as PageStyle, environment)
  const shown = (titleSpacing: string) => barsCheck({ navigationBar: { ...navigationBar, titleSpacing } }, 'bars')
  expect(barsCheck({ navigationBar }, 'bars').navigationBar?.titleSpacing).toBe('4px')
  expect(shown('4px; color: red').navigationBar?.titleSpacing).toBe('')
})
`,
  )
  const generate = `import pages from './packages/pages/generate.ts'
    console.log(JSON.stringify(pages()))`
  const generated: Record<string, string> = JSON.parse(
    await copy.run('--conditions=souk-source', '--input-type=module', '--eval', generate),
  )
  expect(generated['docs/generated/pages-json.md']).toContain('titleSpacing')
  for (const [path, text] of Object.entries(generated)) await writeFile(join(copy.folder, path), text)

  await copy.run('setup/vueTypes.cjs', 'packages/shell')
  const passed = await copy.runTests('.', [
    `${shell}/titleSpacing.test.ts`,
    `${shell}/bars.test.ts`,
    'packages/host-view/src/initialScreen.test.ts',
    'packages/pages/src/check/allAttributes.test.ts',
  ])
  expect(passed).toBe(4)
})

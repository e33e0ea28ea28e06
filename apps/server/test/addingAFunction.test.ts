import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyRepository, type RepositoryCopy } from './repositoryCopy.ts'

const root = join(import.meta.dirname, '../../..')
const neu = 'packages/runtime/src/neu'

let copy: RepositoryCopy

beforeAll(async () => {
  copy = await copyRepository(['packages/runtime', 'packages/vite-plugin', 'docs'])
})
afterAll(() => copy.remove())

test('a function of neu is added by three files, as ARCHITECTURE.md describes', async () => {
  const architecture = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8')
  expect(architecture).toMatch(/\| function of `neu` \| three: .+ five: /)

  await copy.add(
    `${neu}/table/system.ts`,
    '  getHostFontSize: call',
    `  countLetters: call({
    ...inPage,
    module: 'appearance',
    options: { text: required(text), isTrimmed: flag, limit: ignored<number>() },
    result: type<{ count: number }>(),
  }),
`,
  )
  await copy.add(`${neu}/table/system.ts`, '  gives,\n', '  flag,\n')
  await copy.add(`${neu}/table/system.ts`, '  type,\n}', '  text,\n')
  await copy.add(
    `${neu}/appearance.ts`,
    '/** Returns the language',
    `export function countLetters({ text, isTrimmed = false }: Options<'countLetters'>): Result<'countLetters'> {
  return { count: (isTrimmed ? text.trim() : text).length }
}

`,
  )
  await copy.add(`${neu}/appearance.ts`, 'import ', "import type { Options, Result } from './table/types.ts'\n")
  await writeFile(
    join(copy.folder, `${neu}/appearance.test.ts`),
    `import { expect, test } from 'vitest'
import { neu } from './index.ts'

Object.assign(globalThis, { __SOUK_PLATFORM__: 'App', __SOUK_UNI_APP__: false })

test('countLetters counts, and checks its options', async () => {
  const { count } = await neu.countLetters({ text: ' a ', isTrimmed: true, limit: 3 })
  expect([count, neu.canIUse('countLetters')]).toEqual([1, true])
  // @ts-expect-error a text is required
  await expect(neu.countLetters({})).rejects.toThrow('parameter.text should be String instead of Undefined')
})
`,
  )
  const generate = `import runtime from './packages/runtime/generate.ts'
    import build from './packages/vite-plugin/generate.ts'
    console.log(JSON.stringify({ ...runtime(), ...build() }))`
  const generated: Record<string, string> = JSON.parse(
    await copy.run('--conditions=souk-source', '--input-type=module', '--eval', generate),
  )
  const guides = Object.keys(generated).filter((path) => path.endsWith('neu-functions.md'))
  expect(guides).toHaveLength(3)
  for (const path of guides) expect(generated[path]).toContain('getHostLanguage, countLetters, getHostFontSize')
  expect(generated['docs/guides/from-uni-app.md']).toContain('| `countLetters` | differs: ignores `limit` |')
  for (const [path, text] of Object.entries(generated)) await writeFile(join(copy.folder, path), text)

  await copy.checkTypes('packages/runtime/tsconfig.test.json')
  const passed = await copy.runTests('countLetters|exactly the functions|reads its options', [
    `${neu}/appearance.test.ts`,
    `${neu}/index.test.ts`,
    `${neu}/options.test.ts`,
  ])
  expect(passed).toBe(3)
})

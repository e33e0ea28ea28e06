import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyRepository, type RepositoryCopy } from './repositoryCopy.ts'

const root = join(import.meta.dirname, '../../..')
const neu = 'packages/runtime/src/neu'

let copy: RepositoryCopy

beforeAll(async () => {
  copy = await copyRepository([
    'packages/runtime',
    'packages/tags',
    'packages/vite-plugin',
    'apps/docs',
    'docs',
    'setup',
  ])
})
afterAll(() => copy.remove())

test('a function of neu is added by four files, as ARCHITECTURE.md describes', async () => {
  const architecture = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8')
  expect(architecture).toMatch(/\| function of `neu` \| four: .+ six: /)

  await copy.add(
    `${neu}/table/system.ts`,
    '  /**\n   * Returns the font size',
    `  /** Counts the letters of a text. */
  countLetters: call({
    ...inPage,
    module: 'appearance',
    options: {
      /** The text. */
      text: required(text),
      /** Counts no spaces around it. */
      isTrimmed: flag,
      limit: ignored<number>(),
    },
    result: type<{
      /** Number of letters. */
      count: number
    }>(),
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
  await writeFile(
    join(copy.folder, 'apps/docs/examples/pages/neu/countLetters.vue'),
    `<script setup lang="ts">
const { count } = await neu.countLetters({ text: ' Souk ', isTrimmed: true })
</script>

<template>
  <text>{{ count }}</text>
</template>
`,
  )
  const generate = `import runtime from './packages/runtime/generate.ts'
    import build from './packages/vite-plugin/generate.ts'
    console.log(JSON.stringify({ ...runtime(), ...build() }))`
  const generated: Record<string, string> = JSON.parse(
    await copy.run('--conditions=souk-source', '--input-type=module', '--eval', generate),
  )
  expect(generated['docs/guides/from-uni-app.md']).toContain('| `countLetters` | differs: ignores `limit` |')
  for (const [path, text] of Object.entries(generated)) await writeFile(join(copy.folder, path), text)

  await copy.checkTypes('packages/runtime/tsconfig.test.json')
  const passed = await copy.runTests('countLetters|exactly the functions|reads its options', [
    'docs/neu/reference.test.ts',
    `${neu}/appearance.test.ts`,
    `${neu}/index.test.ts`,
    `${neu}/options.test.ts`,
  ])
  expect(passed).toBe(4)
})

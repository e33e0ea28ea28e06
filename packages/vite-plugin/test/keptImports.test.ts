import { join } from 'node:path'
import { expect, test } from 'vitest'
import { release } from '../src/index.ts'
import { keptImports } from '../src/keptImports.ts'
import { type Files, projectOf, textOf } from './project.ts'

/** One line of a script runs each module; `a` is unused, `B` a type, and the names of `d` are types only. */
const code = `import a from './a'
import { type B } from './b'
import type { C } from './c'
import './d'
import { E, type F } from './e'
const g = <B>1`

const all = ['./a', './b', './d', './e']
const values = ['./a', './d', './e']

const verbatim = { compilerOptions: { verbatimModuleSyntax: true } }

test.each<[string, Files, readonly string[]]>([
  ['no tsconfig.json', {}, []],
  ['no setting', { 'tsconfig.json': { compilerOptions: {} } }, []],
  ['verbatimModuleSyntax', { 'tsconfig.json': verbatim }, all],
  [
    'both older settings',
    { 'tsconfig.json': { compilerOptions: { preserveValueImports: true, importsNotUsedAsValues: 'preserve' } } },
    all,
  ],
  ['importsNotUsedAsValues', { 'tsconfig.json': { compilerOptions: { importsNotUsedAsValues: 'error' } } }, all],
  ['preserveValueImports', { 'tsconfig.json': { compilerOptions: { preserveValueImports: true } } }, values],
  [
    'a configuration of a package',
    {
      'tsconfig.json': { extends: '@vue/tsconfig/tsconfig.json' },
      'node_modules/@vue/tsconfig/package.json': { name: '@vue/tsconfig' },
      'node_modules/@vue/tsconfig/tsconfig.json': verbatim,
    },
    all,
  ],
  ['files that include does not name', { 'tsconfig.json': { ...verbatim, include: ['other/*.ts'] } }, all],
  [
    'a nearer tsconfig.json',
    { 'tsconfig.json': verbatim, 'src/tsconfig.json': { compilerOptions: { verbatimModuleSyntax: false } } },
    [],
  ],
  [
    'the reference that includes it',
    {
      'tsconfig.json': { files: [], references: [{ path: './tsconfig.node.json' }, { path: './tsconfig.app.json' }] },
      'tsconfig.app.json': { ...verbatim, include: ['src/**/*.ts', 'src/**/*.vue'] },
      'tsconfig.node.json': { compilerOptions: {}, include: ['vite.config.ts'] },
    },
    all,
  ],
])('keeps the imports that TypeScript keeps: %s', async (_, files, expected) => {
  const folder = await projectOf(files)
  const imports = expected.map((source) => `import ${JSON.stringify(source)};`).join('')
  for (const name of ['src/main.ts', 'src/App.vue']) {
    expect([name, keptImports(code, 'ts', join(folder, name))]).toEqual([name, imports])
  }
})

test('runs the side effects of unused imports that tsconfig.json keeps', async () => {
  const effect = (name: string) => `globalThis.order = (globalThis.order ?? '') + '${name}'\nexport default {}\n`
  const project = await projectOf({
    'manifest.json': { name: 'm', vueVersion: '3' },
    'pages.json': { pages: [{ path: 'pages/a/a' }, { path: 'pages/b/b' }] },
    'tsconfig.json': verbatim,
    'main.ts': `import { createSSRApp } from 'vue'
import App from './App.vue'
import unused from './effects/main'
export const createApp = () => ({ app: createSSRApp(App) })`,
    'App.vue': '<script setup lang="ts">\nimport unused from "./effects/app"\n</script>\n',
    'pages/a/a.vue':
      '<template><view /></template><script lang="ts">\nimport unused from "../../effects/a"\nexport default {}\n</script>',
    'pages/b/b.vue':
      '<template><view /></template><script setup lang="ts">\nimport type { B } from "../../effects/type"\nimport unused from "../../effects/b"\nimport "../../effects/b2"\nconst b: B = {}\n</script>',
    ...Object.fromEntries(
      ['main', 'app', 'a', 'b', 'b2', 'type'].map((name) => [`effects/${name}.ts`, effect(`-${name}-`)]),
    ),
  })
  const { folder, files } = await release({ platform: 'H5', project })
  const scripts = await textOf(folder, files, '.js')
  const positions = ['main', 'app', 'a', 'b', 'b2', 'type'].map((name) => [name, scripts.includes(`-${name}-`)])
  expect(Object.fromEntries(positions)).toEqual({ main: true, app: true, a: true, b: true, b2: true, type: false })
  expect(scripts.indexOf('-b-')).toBeLessThan(scripts.indexOf('-b2-'))
})

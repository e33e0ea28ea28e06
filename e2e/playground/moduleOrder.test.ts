import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Mode, openApp, type Platform } from './fixture.ts'

/** Names of modules by the module that imports them, in the order of the imports. */
type Graph = ReadonlyMap<string, readonly string[]>

const pages = ['pages/a/a', 'pages/b/b', 'pages/c/c']
const starts = ['main', 'App', ...pages]

/** Modules that import later ones only, so that the order of a graph without circles is the only right one. */
const graphs: fc.Arbitrary<Graph> = fc.integer({ min: 4, max: 14 }).chain((count) => {
  const modules = Array.from({ length: count }, (_, index) => `m${index}`)
  const importsOf = (from: readonly string[]) => fc.shuffledSubarray([...from], { maxLength: Math.min(4, from.length) })
  return fc
    .tuple(
      fc.tuple(...starts.map(() => importsOf(modules))),
      fc.tuple(...modules.map((_, index) => importsOf(modules.slice(index + 1)))),
    )
    .map(
      ([ofStarts, ofModules]) =>
        new Map([...starts, ...modules].map((name, i) => [name, [...ofStarts, ...ofModules][i]!])),
    )
})

/** Returns the modules in the order in which a program of this entry would run them, without those that have run. */
function orderOf(graph: Graph, entry: string, ran: Set<string>): string[] {
  if (ran.has(entry)) return []
  ran.add(entry)
  return [...graph.get(entry)!.flatMap((name) => orderOf(graph, name, ran)), ...(starts.includes(entry) ? [] : [entry])]
}

async function writeProject(folder: string, graph: Graph): Promise<void> {
  const imports = (name: string) => graph.get(name)!.map((each) => `import '@/modules/${each}.js'`)
  const files: [string, string[]][] = [
    ['pages.json', [JSON.stringify({ pages: pages.map((path) => ({ path })) })]],
    [
      'main.js',
      // App.vue comes between the imports of main.js.
      [
        `import { createSSRApp } from 'vue'`,
        ...imports('main').slice(0, 2),
        `import App from './App.vue'`,
        ...imports('main').slice(2),
        'export const createApp = () => ({ app: createSSRApp(App) })',
      ],
    ],
    ['App.vue', ['<script>', ...imports('App'), 'export default {}', '</script>']],
    ...pages.map((path): [string, string[]] => [
      `${path}.vue`,
      ['<template><view>page</view></template>', '<script setup>', ...imports(path), '</script>'],
    ]),
    ...[...graph.keys()]
      .filter((name) => !starts.includes(name))
      .map((name): [string, string[]] => [
        `modules/${name}.js`,
        [...imports(name), `;(globalThis.ran ??= []).push('${name}')`],
      ]),
  ]
  for (const [path, lines] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), lines.join('\n'))
  }
}

const targets: readonly [Platform, Mode][] = [
  ['H5', 'build'],
  ['App', 'build'],
  ['H5', 'serve'],
  ['App', 'serve'],
]

test('modules run in the order of the imports, in releases and in development', async () => {
  await fc.assert(
    fc.asyncProperty(graphs, async (graph) => {
      const project = await mkdtemp(join(tmpdir(), 'souk-order-'))
      try {
        await writeProject(project, graph)
        for (const [platform, mode] of targets) {
          for (const path of mode === 'build' ? pages : pages.slice(0, 1)) {
            const app = await openApp({ project, platform, mode, path })
            const others = pages.filter((each) => each !== path)
            for (const other of others) await app.go(other)
            const found = await app.app.evaluate(() => (globalThis as unknown as { ran?: string[] }).ran ?? [])
            expect(app.faults()).toEqual([])
            await app.close()

            const ran = new Set<string>()
            const main = graph.get('main')!
            const ofMain = new Map([...graph, ['main', [...main.slice(0, 2), 'App', ...main.slice(2)]]])
            const expected = ['main', path, ...others].flatMap((entry) => orderOf(ofMain, entry, ran))
            expect(found, `${platform} ${mode} ${path}`).toEqual(expected)
          }
        }
      } finally {
        await rm(project, { recursive: true, force: true })
      }
    }),
    { numRuns: 4, endOnFailure: true },
  )
})

import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { release } from '../src/index.ts'
import { projectOf } from './project.ts'

/** Everything that a release names must be in it: a browser would request a missing file at each load. */

const root = join(import.meta.dirname, '../../..')
const playground = readdirSync(join(root, 'playground')).map((name) => `playground/${name}`)
const samples = [...playground, 'examples/coffee', 'packages/create-miniapp/template']

type Platform = 'H5' | 'App' | 'Mini App'

/** Builds a project, and returns the names of files that the release contains and lacks. */
async function namesIn(project: string, platform: Platform): Promise<{ found: string[]; missing: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'souk-released-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const out = join(folder, 'release')
  await release({ project, platform, out })
  // Our own chunks run in the order of the imports: a build would be repeated if they did not (ADR 375).
  expect(warn.mock.calls.flat().filter((text) => /building again/i.test(String(text)))).toEqual([])
  const names = globSync('**/*.{html,js,css}', { cwd: out }).flatMap((file) =>
    namesOf(readFileSync(join(out, file), 'utf8'), file).map((name) => ({ file, name })),
  )
  const icons = [...readFileSync(join(out, 'souk-app.json'), 'utf8').matchAll(/"(\/?static\/[^"]+\.\w+)"/g)]
  names.push(...icons.map(([, name]) => ({ file: 'souk-app.json', name: name! })))
  const exists = ({ file, name }: { file: string; name: string }) =>
    existsSync(join(out, name)) || existsSync(join(out, dirname(file), name))
  return {
    found: names.filter(exists).map(({ name }) => name),
    missing: names.filter((each) => !exists(each)).map(({ file, name }) => `${file}: ${name}`),
  }
}

/** Returns names with a hash, in any list or import, the addresses of documents, and those of style sheets. */
function namesOf(text: string, file: string): string[] {
  const patterns = [
    /["'`]((?:\.{0,2}\/)?(?:assets\/)?[\w.-]+-[\w-]{8}\.\w{2,5})["'`]/g,
    ...(file.endsWith('.html') ? [/\b(?:src|href)="(?!\w+:|\/|#)([^"?#]+)/g] : []),
    ...(file.endsWith('.css') ? [/\burl\((?!["']?(?:\w+:|\/|#))["']?([^"')?#]+)/g] : []),
  ]
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name!))
}

const onPlatforms = samples.flatMap((sample) => [[sample, 'H5'] as const, [sample, 'App'] as const])

test.each(onPlatforms)('a release of %s for %s contains the files that it names', async (sample, platform) => {
  const { found, missing } = await namesIn(join(root, sample), platform)
  expect(missing).toEqual([])
  expect(found).not.toEqual([])
})

/** Styles that several pages need, but not all, become a chunk without a script. */
const sharedStyles = {
  'manifest.json': { name: 'm', vueVersion: '3' },
  'pages.json': { pages: ['a', 'b', 'c', 'd'].map((name) => ({ path: `pages/${name}/${name}` })) },
  'pages/a/a.vue': '<template><navigator url="/pages/b/b">b</navigator></template>',
  'pages/b/b.vue': '<template><view><checkbox value="1" /></view></template>',
  'pages/c/c.vue': '<template><view><switch /></view></template>',
  'pages/d/d.vue': '<template><view><radio value="1" /><button>d</button></view></template>',
}

test.each(['H5', 'App', 'Mini App'] as const)('a release for %s preloads no chunk of styles only', async (platform) => {
  const { found, missing } = await namesIn(await projectOf(sharedStyles), platform)
  expect(missing).toEqual([])
  expect(found.some((name) => /pages-b-b-[\w-]{8}\.js/.test(name))).toBe(true)
})

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check, readPages } from '@souk/pages'
import { openProject } from '@souk/project'
import { release } from '@souk/vite-plugin'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { menu } from './backend/menu.ts'

const here = import.meta.dirname
afterEach(() => vi.unstubAllEnvs())

test('its pages.json has no findings', async () => {
  const { text, files } = await openProject(here)
  expect(check(readPages(text), { files })).toEqual([])
})

test.each(['H5', 'App', 'Mini App'] as const)(
  'builds for %s without output and with the URL of its backend',
  async (platform) => {
    vi.stubEnv('VITE_BACKEND', 'https://coffee.example')
    const spies = (['log', 'info', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name))
    const folder = await mkdtemp(join(tmpdir(), 'souk-coffee-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const out = join(folder, 'release')
    const { files } = await release({ project: here, platform, out })
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
    const scripts = files.filter(({ path }) => path.endsWith('.js'))
    const texts = await Promise.all(scripts.map(({ path }) => readFile(join(out, path), 'utf8')))
    expect(texts.filter((text) => text.includes('https://coffee.example'))).toHaveLength(1)
    expect(texts.join()).not.toContain('localhost:7071')
  },
)

test('every drink has a picture', async () => {
  const pictures = await readdir(join(here, 'src/static/drinks'))
  expect(pictures.sort()).toEqual(menu.map(({ id }) => `${id}.svg`).sort())
})

test.for(['', 'zh', 'ar'])('the code that the guide quotes exists (%s)', async (language) => {
  const guide = await readFile(join(here, '../../docs', language, 'guides/example.md'), 'utf8')
  const files = (await readdir(here, { recursive: true })).filter((path) => /^(src|backend)\/.*\.(ts|vue)$/.test(path))
  const code = (await Promise.all(files.map((path) => readFile(join(here, path), 'utf8')))).join('\n')
  const quotes = [...guide.matchAll(/```ts\n(.*?)```/gs)].map(([, text]) => text!)
  expect(quotes.length).toBeGreaterThan(5)
  for (const quote of quotes) expect(code).toContain(quote)
})

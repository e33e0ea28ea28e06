import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unpackChromium, variablesOf } from './chromium.ts'

// `souk migrate --try` builds a project, and opens its first page in Chromium.

let home: string
let folder: string
beforeAll(async () => {
  home = await unpackChromium()
  folder = await mkdtemp(join(tmpdir(), 'souk-migrate-'))
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

const program = join(import.meta.dirname, '../packages/cli/src/main.ts')

/** Runs `souk migrate --try` in a process of its own. */
function migrate(args: readonly string[], env: NodeJS.ProcessEnv): Promise<{ status: number; out: string }> {
  const command = ['--conditions=souk-source', program, 'migrate', ...args, '--try']
  const options = { cwd: folder, env: { ...process.env, INIT_CWD: folder, NO_COLOR: '1', ...env } }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, options, (_, out) => resolve({ status: child.exitCode!, out }))
  })
}

const page = (script: string, template = '<view>shown</view>') =>
  `<template>${template}</template>\n<script setup>\n${script}\n</script>\n`

/** Runs `souk migrate --try` for a project whose first page is given. */
async function tried(name: string, firstPage: string, args: readonly string[] = [], more: Record<string, string> = {}) {
  const files = {
    'pages.json': JSON.stringify({ pages: [{ path: 'pages/a/a', style: { navigationBarTitleText: 'A' } }] }),
    'manifest.json': JSON.stringify({ name: 'm', vueVersion: '3' }),
    'pages/a/a.vue': firstPage,
    ...more,
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, name, dirname(path)), { recursive: true })
    await writeFile(join(folder, name, path), text)
  }
  return migrate([name, ...args], { CHROMIUM: join(home, 'chromium'), ...variablesOf(home) })
}

test.each(['H5', 'App', 'Mini App'])('a project runs if its first page is drawn on %s', async (platform) => {
  const { status, out } = await tried('good', page('const a = 1'), ['--platform', platform])
  expect(out).toMatch(new RegExp(`\\nRuns: its first page was opened on ${platform}\\n$`))
  expect(status).toBe(0)
})

test('differences do not fail, nor do requests without a backend', async () => {
  const script = `uni.request({ url: 'http://127.0.0.1:9/' })\nif (false) uni.startWifi()`
  const { status, out } = await tried('differs', page(script), ['--platform', 'H5', '--json'])
  expect(JSON.parse(out).verdict).toEqual({ result: 'runs-with-differences', tried: true, reasons: [] })
  expect(status).toBe(0)
})

test.each([
  ['throws', page('weex.requireModule("dom")'), 'the first page throws ReferenceError: weex is not defined'],
  ['throws-later', page('setTimeout(() => missing())'), 'the first page throws ReferenceError: missing is not defined'],
  ['blank', page('const isShown = false', '<view v-if="isShown">a</view>'), 'the first page stays blank'],
  ['unbuildable', page("import { a } from 'not-installed'\nconsole.log(a)"), 'package not-installed is not installed'],
])('a project does not run: %s', { timeout: 120_000 }, async (name, firstPage, expected) => {
  for (const platform of name === 'blank' ? ['H5'] : ['H5', 'App']) {
    const { status, out } = await tried(name, firstPage, ['--platform', platform, '--json'])
    const { result, reasons } = JSON.parse(out).verdict
    expect([status, result]).toEqual([1, 'does-not-run'])
    expect(reasons.join('\n')).toContain(expected)
    if (platform === 'H5' && name === 'throws') expect(reasons).toContain('the first page stays blank')
  }
})

test('without a browser, a project is built only', async () => {
  const { status, out } = await migrate(['good'], { CHROMIUM: '', PATH: '' })
  expect(out).toMatch(
    /\nShould run \(built, but not opened: no Chromium was found, install it or set CHROMIUM to its path\)\n$/,
  )
  expect(status).toBe(0)
})

import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { freePort } from '../apps/server/test/server.ts'
import { afterFile, newContext, registerHooks } from './browser.ts'

registerHooks()
const run = promisify(execFile)
const root = join(import.meta.dirname, '..')

/** Folder where `code-server`, VS Code's server for browsers, is installed (editors/vscode/README.md). */
const installed = process.env.SOUK_CODE_SERVER
const program = join(installed ?? '', 'node_modules/code-server/out/node/entry.js')

const pagesJson = `{
  "pages": [
    { "path": "pages/home/home", "style": { "enablePullDownRefresh": "true" } },
    { "path": "pages/gone/gone" }
  ],
  "globalStyle": { "navigationBarTextStyle": "blak" }
}
`
const settings = {
  'chat.disableAIFeatures': true,
  // It lies over the first lines.
  'editor.stickyScroll.enabled': false,
  'files.autoSave': 'off',
  'security.workspace.trust.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
}

/** Starts VS Code with the packed extension, and returns its page with pages.json open, and the project's folder. */
async function openEditor(): Promise<{ page: Page; project: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'souk-vscode-'))
  afterFile(() => rm(folder, { recursive: true, maxRetries: 5 }))
  const project = join(folder, 'project')
  await mkdir(join(project, 'pages/home'), { recursive: true })
  await writeFile(join(project, 'pages.json'), pagesJson)
  await writeFile(join(project, 'pages/home/home.vue'), '<template><view /></template>\n')
  await mkdir(join(folder, 'data/User'), { recursive: true })
  await writeFile(join(folder, 'data/User/settings.json'), JSON.stringify(settings))
  const { stdout: vsix } = await run(process.execPath, [join(root, 'setup/packExtension.mjs'), folder])
  const options = { env: { ...process.env, HOME: folder }, cwd: folder }
  const folders = ['--user-data-dir', join(folder, 'data'), '--extensions-dir', join(folder, 'extensions')]
  await run(process.execPath, [program, ...folders, '--install-extension', vsix.trim()], options)
  const address = `127.0.0.1:${await freePort()}`
  const flags = ['--auth', 'none', '--bind-addr', address, '--disable-telemetry', '--disable-update-check']
  const server = spawn(process.execPath, [program, ...folders, ...flags], {
    ...options,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  afterFile(() => new Promise((ended) => server.once('exit', ended) && server.kill()))
  for await (const line of createInterface(server.stdout)) if (line.includes('HTTP server listening')) break
  server.stdout.resume()
  const context = await newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.goto(`http://${address}/?folder=${encodeURIComponent(project)}`)
  await page.getByRole('treeitem', { name: 'pages.json' }).click()
  await word(page, 'enablePullDownRefresh').waitFor()
  return { page, project }
}

/** Locates a token of the file, as VS Code colors it. */
const word = (page: Page, text: string | RegExp) =>
  page.locator('.view-line span span').filter({ hasText: text }).first()

/** The path of the first page, which VS Code divides where the pointer makes it a link. */
const firstPath = /pages\/home|home\/home/

/** Opens the quick fixes at a token, and chooses one. */
async function fix(page: Page, text: string, title: string): Promise<void> {
  await word(page, text).click()
  await page.keyboard.press('Control+.')
  await page.locator('.action-widget').getByText(title).waitFor()
  await page.keyboard.press('Enter')
}

const reason = installed ? '' : ' (skipped: SOUK_CODE_SERVER does not name a folder with code-server)'

describe.skipIf(!installed)(`the extension in VS Code${reason}`, () => {
  test('shows errors and attributes, completes, fixes, formats, and renames pages with their files', async () => {
    const { page, project } = await openEditor()
    const lines = page.locator('.view-lines')

    await page.keyboard.press('Control+Shift+M')
    const problems = page.locator('.markers-panel')
    for (const code of ['type-wrong', 'page-file-missing', 'value-unknown']) await problems.getByText(code).waitFor()

    await word(page, 'enablePullDownRefresh').hover()
    await page.locator('.monaco-hover').getByText('Enables pull-to-refresh.').waitFor()
    await page.keyboard.press('Escape')

    await fix(page, '"true"', 'Write true')
    await problems.getByText('type-wrong').waitFor({ state: 'hidden' })
    await fix(page, 'pages/gone', 'Create pages/gone/gone.vue')
    await problems.getByText('page-file-missing').waitFor({ state: 'hidden' })
    expect(await readdir(join(project, 'pages/gone'))).toEqual(['gone.vue'])

    await page.getByRole('tab', { name: 'pages.json' }).click()
    await word(page, 'blak').click()
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Control+Space')
    await page.locator('.suggest-widget').getByText('black').waitFor()
    await page.keyboard.press('Enter')
    await problems.getByText('value-unknown').waitFor({ state: 'hidden' })

    await word(page, firstPath).click()
    await page.keyboard.press('F12')
    await page.getByRole('tab', { name: 'home.vue' }).waitFor()
    await page.getByRole('tab', { name: 'pages.json' }).click()

    // VS Code formats JSON itself: two formatters would make it ask for one.
    await word(page, firstPath).click()
    await page.keyboard.press('Control+Shift+I')
    await expect.poll(() => lines.locator('.view-line').count()).toBeGreaterThan(12)

    await word(page, firstPath).click()
    await page.keyboard.press('F2')
    await page.locator('.rename-box input').fill('pages/start/start')
    await page.keyboard.press('Enter')
    await word(page, /pages\/start|start\/start/).waitFor()
    await expect.poll(() => readdir(join(project, 'pages/start'))).toEqual(['start.vue'])
  })
})

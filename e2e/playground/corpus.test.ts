import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  check,
  type Json,
  navigationBarOf,
  type Platform,
  pageFile,
  projectPath,
  type Resolved,
  type ResolvedPage,
  readPages,
  resolve,
  schemeOf,
} from '../../packages/pages/src/index.ts'
import { type App, openApp } from './stage.ts'

/**
 * Real pages.json files, which are beside the repository and not of it, with pages, icons and components made for them: what they ask for is
 * there, and every page opens.
 */
const root = join(import.meta.dirname, '../..')
const corpus = join(root, '../shared/corpus')
const isThere = existsSync(corpus)
if (!isThere) console.warn(`No real pages.json files in ${corpus}: these tests are skipped.`)

const files = {
  'dcloudio__uni-admin__pages.json': 'left and top window, subpackages, conditional comments',
  'dcloudio__uni-template-news__pages.json': 'right window as wide as the rest, transparent title',
  'chao921125__uni-app__pages.json': 'rpx settings, easycom with two names for one component, everything commented',
  'liaoxuewu__uni-app-template__pages.json': 'windows, sub-windows, rpx settings',
  'yxyxx__oppo-store__pages.json': 'tabs, windows, conditional comments',
  'xyzgy__uniapp-template__pages.json': 'tabs, windows, custom bars',
  '1880808__uniapp-live__app__pages.json': 'two tabs and a middle button',
  'goods000__uni-app__量化__pages.json': 'five tabs and a middle button, conditional comments',
  'Front97721__uniapp-tabBarRaised__uniapp2__pages.json': 'five tabs, middle button, start modes',
  'imbacc__fast-uni-app__pages@05ab7775.json': 'search input in the title',
  'anderw__eggjs-uniapp-shop__uniapp__pages.json': 'transparent bars, search, font icons, custom bars',
  'liaoxxxx__LiuJian__mobile__pages.json': 'middle button without tabs, easycom, custom bars',
  'stavyan__TinyShop-UniApp__src__pages.json': 'subpackages, font icons, custom and transparent bars',
  'dcloudio__uni-app__examples__image-template__pages@a3341893.json': 'tabs and bars with buttons',
  'zhuige-com__zhuige_shop__client__pages.json': 'conditional custom bars',
  'IceCry__fdev__uniapp__pages.json': 'subpackages, easycom, start modes',
  'goods000__uni-app__黑石__pages.json': 'sub-windows, transparent titles, pull to refresh',
  'zkdevelop__zk_uniapp__pages@495fc24c.json': 'sub-windows, custom bars',
  'Yaxun-Yang__NekoTalk__app__pages.json': 'five tabs, easycom, conditional comments',
  'TYL0923__exercise__packages__app__src__pages.json': 'usingComponents and easycom',
  '02030708dw__PartTimeApp__pages.json': 'two tabs, custom bars',
  'caiweiyu__uniapp-etc-__pages.json': 'subpackages, easycom, conditional comments',
  'realxiouz__uni-app__pages.json': '89 pages, transparent titles',
} as const
type File = keyof typeof files

/** With mistakes that let no release be made; development serves them all the same. */
const wrong = {
  'Jiang-Xia__gin-zone__client__pages.json': 'a tab without text',
  'guyue88__speedy-im__client__pages.json': 'a sub-window without a good id',
  'ijry__lyshop__app__pages@8eb9858a.json': 'brackets and commas out of place',
} as const

// What is wrong with them is told by builds at length.
beforeAll(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))

const made: string[] = []
afterAll(() => Promise.all(made.splice(0).map((folder) => rm(folder, { recursive: true, force: true }))))

interface Project {
  folder: string
  resolved: Resolved
  /** Tags that easycom finds, with what their components show. */
  probes: Map<string, string>
}

/** A project that has whatever the file names. */
async function projectOf(file: string, platform: Platform): Promise<Project> {
  const text = await readFile(join(corpus, file), 'utf8')
  const config = readPages(text)
  const resolved = resolve(config, { platform, os: 'Android' })
  const folder = await mkdtemp(join(tmpdir(), 'souk-corpus-'))
  made.push(folder)
  const write = async (path: string, content: string | Uint8Array) => {
    const target = join(folder, path)
    if (!target.startsWith(folder) || existsSync(target)) return
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, content)
  }
  const component = (path: string, shown: string) =>
    write(/\.[nu]?vue$/.test(path) ? path : `${path}.vue`, `<template><view>${shown}</view></template>\n`)

  const probes = new Map<string, string>()
  for (const [pattern, target] of Object.entries(resolved.easycom.custom)) {
    const tag = pattern.replace(/^\^|\$$/g, '').replace(/\((?:\.\*|\.\+|\[[^\]]*\][*+])\)/, 'probe')
    const match = /^[a-z][\w-]*$/.test(tag) ? new RegExp(pattern).exec(tag) : null
    // A package of its own would have to be installed.
    if (!match || !/\.vue$/.test(target) || schemeOf(target) !== undefined) continue
    const path = projectPath(target.replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? ''))
    await component(path, `<text>found ${path}</text>`)
    probes.set(tag, `found ${path}`)
  }
  const used = new Set(probes.keys())
  const register = async (value: Json | undefined, from: string) => {
    for (const [tag, path] of Object.entries((value as Record<string, Json> | undefined) ?? {})) {
      if (typeof path !== 'string' || schemeOf(path) !== undefined) continue
      const place = /^\.{1,2}\//.test(path) ? join(from, path) : projectPath(path)
      await component(place, `component ${tag}`)
      used.add(tag)
    }
  }
  await register(resolved.globalStyle.usingComponents, '')
  for (const page of resolved.pages) await register(page.style.usingComponents, dirname(page.path))
  const tags = [...used].map((tag) => `<${tag} />`).join('')
  for (const [index, { path }] of resolved.pages.entries())
    await write(
      `${path}.vue`,
      `<template><view class="body">Page ${path}${index === 0 ? `<view class="used">${tags}</view>` : ''}</view></template>\n`,
    )
  for (const [name, { path }] of Object.entries(resolved.windows)) await component(projectPath(path), `Window ${name}`)
  for (const [, path] of text.matchAll(/"path"\s*:\s*"([^"]+\.nvue|[^"]*subnvue[^"]*)"/gi))
    await write(
      projectPath(path!.replace(/(\.nvue)?$/, '.nvue')),
      '<template><view><text>a sub-window</text></view></template>',
    )
  await write('static/.keep', '')
  for (const [, written] of text.matchAll(/"([^"\n]+\.(?:png|jpe?g|gif|webp|ico|ttf|woff2?))(?:\?[^"]*)?"/gi)) {
    const path = projectPath(written!)
    if (schemeOf(written!) !== undefined || path.startsWith('..')) continue
    if (/ttf|woff2?$/.test(path)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await copyFile(join(root, 'playground/bars/static/icons.ttf'), join(folder, path))
    } else await write(path, picture)
  }
  await writeFile(join(folder, 'pages.json'), text)
  return { folder, resolved, probes }
}

/** 8 × 8 px, grey. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAADUlEQVR42mNoIBEwUF8BAHRcYAElw9wjAAAAAElFTkSuQmCC',
  'base64',
)

/** What the files name of the network is answered here. */
const prepare: NonNullable<Parameters<typeof openApp>[0]['prepare']> = (context) =>
  context.route(
    ({ hostname }) => hostname !== '127.0.0.1' && hostname !== 'localhost',
    (route) =>
      route.request().resourceType() === 'font'
        ? route.fulfill({ path: join(root, 'playground/bars/static/icons.ttf'), contentType: 'font/ttf' })
        : route.fulfill({ body: picture, contentType: 'image/png' }),
  )

const list = (resolved: Resolved) =>
  ((resolved.tabBar?.list ?? []) as { pagePath: string; text?: string; visible?: boolean }[]).filter(
    ({ visible }) => visible !== false,
  )

/** The bar of the page on top says what the file does. */
async function hasItsBar({ host }: App, page: ResolvedPage): Promise<void> {
  const { isShown, title, titleImage, titleNView } = navigationBarOf(page)
  const bar = host.locator('.neu-navbar').last()
  if (!isShown)
    return expect.poll(() => host.locator('.neu-navbar').count(), { message: `bar of ${page.path}` }).toBe(0)
  await bar.waitFor()
  if (titleNView?.searchInput || titleImage) return
  const shown = async () => (await bar.locator('.neu-navbar-title').allTextContents()).join('')
  await expect.poll(shown, { message: `title of ${page.path}`, interval: 20 }).toBe(title)
}

/** The tabs are those of the file, and each of them opens its page. */
async function everyTab(app: App, resolved: Resolved): Promise<void> {
  const tabs = list(resolved)
  const paths = tabs.map(({ pagePath }) => projectPath(pagePath))
  const items = app.host.locator('.neu-tabbar-item')
  const launch = resolved.pages[0]!.path
  if (!paths.includes(launch)) expect(await items.count()).toBe(0)
  if (paths.length === 0) return
  await app.go(paths[0]!, 'switchTab')
  expect((await items.allTextContents()).map((text) => text.trim())).toEqual(tabs.map(({ text }) => text ?? ''))
  // The middle button is there with an even number of tabs (§2.7).
  const middle = resolved.tabBar?.midButton !== undefined && tabs.length % 2 === 0 ? 1 : 0
  expect(await app.host.locator('.neu-tabbar-mid').count()).toBe(middle)
  for (const index of [...tabs.keys()].slice(1).concat(0)) {
    await items.nth(index).click()
    const path = paths[index]!
    await app.app.waitForSelector(`neu-page-window:not([inert]) neu-page[data-page="${path}"]`)
    await expect.poll(() => items.nth(index).getAttribute('aria-current'), { interval: 20 }).toBe('page')
    const page = resolved.pages.find((page) => page.path === path)
    if (page) await hasItsBar(app, page)
  }
}

async function everyPage(app: App, resolved: Resolved): Promise<void> {
  for (const page of resolved.pages) {
    await app.go(page.path)
    const body = app.app.locator('neu-page-window:not([inert]) .body')
    expect(await body.innerText(), page.path).toMatch(`Page ${page.path}`)
    await hasItsBar(app, page)
    expect(app.faults(), page.path).toEqual([])
  }
}

async function begins(app: App, { resolved, probes }: Project): Promise<void> {
  const [launch] = resolved.pages
  await hasItsBar(app, launch!)
  expect(await app.app.locator('.body').first().innerText()).toMatch(`Page ${launch!.path}`)
  for (const shown of probes.values())
    await app.app.locator('.used').getByText(shown, { exact: true }).first().waitFor()
  expect(app.faults()).toEqual([])
}

const name = (file: string) => file.replace(/__pages|\.json$/g, '')
const cases = Object.entries(files).map(([file, what]) => [name(file), what, file] as const)

describe.skipIf(!isThere)('real files, built for H5', () => {
  test.each(cases)('%s: %s', async (name, _, file) => {
    const project = await projectOf(file, 'H5')
    const { folder, resolved } = project
    const app = await openApp({ project: folder, platform: 'H5', mode: 'build', prepare })
    await begins(app, project)
    await app.picture(`corpus-${name}`)
    await everyTab(app, resolved)
    await app.picture(`corpus-${name}.tab`)
    await everyPage(app, resolved)
    await app.close()

    const windows = Object.entries(resolved.windows)
    if (windows.length === 0) return
    // Where there is room for side windows, they stand beside the launch page unless it says otherwise.
    const wide = await openApp({ project: folder, platform: 'H5', mode: 'build', width: 1400, height: 800, prepare })
    const [{ style }] = resolved.pages as [ResolvedPage]
    for (const [window, { style: own }] of windows) {
      const shown = wide.app.getByText(`Window ${window}`, { exact: true })
      if (style[window] === false || own.width === '0px') expect(await shown.isVisible(), window).toBe(false)
      else await shown.waitFor()
    }
    await wide.picture(`corpus-${name}.wide`)
    expect(wide.faults()).toEqual([])
    await wide.close()
  })
})

const inFrame: (readonly [File, 'App' | 'Mini App'])[] = [
  ['1880808__uniapp-live__app__pages.json', 'App'],
  ['anderw__eggjs-uniapp-shop__uniapp__pages.json', 'App'],
  ['goods000__uni-app__黑石__pages.json', 'App'],
  ['zkdevelop__zk_uniapp__pages@495fc24c.json', 'App'],
  ['imbacc__fast-uni-app__pages@05ab7775.json', 'App'],
  ['anderw__eggjs-uniapp-shop__uniapp__pages.json', 'Mini App'],
  ['zhuige-com__zhuige_shop__client__pages.json', 'Mini App'],
  ['goods000__uni-app__量化__pages.json', 'Mini App'],
]

describe.skipIf(!isThere)('real files, built for the host', () => {
  test.each(inFrame.map(([file, platform]) => [name(file), platform, file] as const))(
    '%s on %s',
    async (name, platform, file) => {
      const project = await projectOf(file, platform)
      const app = await openApp({ project: project.folder, platform, mode: 'build', prepare })
      await begins(app, project)
      await app.picture(`corpus-${name}.${platform}`)
      await everyTab(app, project.resolved)
      await app.picture(`corpus-${name}.${platform}.tab`)
      await everyPage(app, project.resolved)
      await app.close()
    },
  )
})

describe.skipIf(!isThere)('real files with mistakes', () => {
  test.each(Object.entries(wrong).map(([file, what]) => [name(file), what, file] as const))(
    '%s: %s',
    async (name, _, file) => {
      const project = await projectOf(file, 'H5')
      const text = await readFile(join(corpus, file), 'utf8')
      const errors = check(readPages(text), {}).filter(({ severity }) => severity === 'error')
      expect(errors.length).toBeGreaterThan(0)
      await expect(openApp({ project: project.folder, platform: 'H5', mode: 'build' })).rejects.toThrow(
        `error[${errors[0]!.code}]`,
      )
      const app = await openApp({ project: project.folder, platform: 'H5', mode: 'serve', prepare })
      await app.page.getByRole('button', { name: /pages\.json: \d+ errors?/ }).waitFor()
      await app.picture(`corpus-${name}.wrong`)
      await app.page.getByRole('button', { name: 'Close', exact: true }).press('Enter')
      await hasItsBar(app, project.resolved.pages[0]!)
      await everyPage(app, project.resolved)
      await app.close()
    },
  )
})

test.skipIf(!isThere)('what is made is made for every page of a file', async () => {
  const { folder, resolved } = await projectOf('dcloudio__uni-admin__pages.json', 'H5')
  const exists = (path: string) => existsSync(join(folder, path))
  expect(resolved.pages.every(({ path }) => pageFile({ exists }, path) !== undefined)).toBe(true)
})

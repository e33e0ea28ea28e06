import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  check,
  type Json,
  type PageStyle,
  type Platform,
  pageFile,
  projectPath,
  type Resolved,
  type ResolvedPage,
  readPages,
  resolve,
  schemeOf,
} from '../../packages/pages/src/index.ts'
import { type Corpus, samples, thirdParty } from '../../packages/pages/test/corpus.ts'
import { type App, type Opening, openApp } from './fixture.ts'

/** Builds mini apps from pages.json files with generated pages, icons and components, and opens every page. */
const root = join(import.meta.dirname, '../..')

/** Files of a corpus by what the tests do with them. The names are without `.json`. */
interface Selection {
  /** Built for H5, with what is special about each. */
  h5: Record<string, string>
  /** Built for the host, with what is special about each. */
  framed: [file: string, platform: 'App' | 'Mini App', special: string][]
  /** The mini app runs despite their errors. */
  flawed: Record<string, string>
  /** Their errors fail a build; the development server still serves them. */
  broken: Record<string, string>
}

const selections = new Map<Corpus, Selection>([
  [
    samples,
    {
      h5: {
        'farm-market': 'three side windows, switched off page by page',
        playlists: 'two tabs and a middle button with a font icon',
        'bus-tickets': 'five tabs with font icons, a page for H5 only',
        vineyard: 'tabs in conditional comments, a hidden tab and a tab without text',
        'chess-club': 'usingComponents for all pages and for one',
        'flower-delivery': 'easycom with two names for one component',
        newsstand: 'bars that the h5 node overrides',
        library: 'search boxes in bars',
        'museum-guide': 'transparent bars, Arabic titles',
        'photo-print': 'the same keys in several conditional comments',
        laundry: 'byte order mark, CRLF, subpackages in lower case',
        'water-meter': 'rpx settings and widths by page',
        'tool-rental': 'page and tab paths with leading slashes',
        'city-council': '36 pages in six subpackages',
      },
      framed: [
        ['city-taxi', 'App', 'three sub-windows'],
        ['solar-co-op', 'App', 'gradient, floating and transparent bars'],
        ['gym-pass', 'Mini App', 'four tabs and a middle button'],
        ['pet-hotel', 'Mini App', 'pages in nested conditional comments'],
      ],
      flawed: {
        'travel-diary': 'two sub-windows with one id',
      },
      broken: {
        'quiz-night': 'required keys missing',
        courier: 'superfluous and missing brackets',
      },
    },
  ],
])
if (thirdParty) {
  selections.set(thirdParty, {
    h5: {
      'dcloudio__uni-admin__pages': 'left and top window, subpackages, conditional comments',
      'chao921125__uni-app__pages': 'rpx settings, easycom with two names for one component, everything commented',
      'Front97721__uniapp-tabBarRaised__uniapp2__pages': 'five tabs, middle button, start modes',
      'anderw__eggjs-uniapp-shop__uniapp__pages': 'transparent bars, search, font icons, custom bars',
      TYL0923__exercise__packages__app__src__pages: 'usingComponents and easycom',
    },
    framed: [
      ['1880808__uniapp-live__app__pages', 'App', 'tabs and a middle button, buttons in bars'],
      ['zkdevelop__zk_uniapp__pages@495fc24c', 'App', 'sub-windows, custom bars'],
      ['zhuige-com__zhuige_shop__client__pages', 'Mini App', 'conditional custom bars'],
    ],
    flawed: {},
    broken: {
      'ijry__lyshop__app__pages@8eb9858a': 'brackets and commas out of place',
    },
  })
}

// Builds warn about every defect of a file.
beforeAll(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))

const createdFolders: string[] = []
afterAll(() => Promise.all(createdFolders.splice(0).map((folder) => rm(folder, { recursive: true, force: true }))))

interface Project {
  folder: string
  /** The content of pages.json. */
  text: string
  resolved: Resolved
  /** Tags that easycom resolves, with the text that each component shows. */
  probes: Map<string, string>
}

/** Creates a project with everything that the file names. */
async function createProject(text: string, platform: Platform): Promise<Project> {
  const config = readPages(text)
  const resolved = resolve(config, { platform, os: 'Android' })
  const folder = await mkdtemp(join(tmpdir(), 'souk-corpus-'))
  createdFolders.push(folder)
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
    // Targets in packages would have to be installed.
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
  // Checks cover all platforms, so the sub-windows of App are needed for H5 too.
  const forApp = resolve(config, { platform: 'App', os: 'Android' })
  const styles = [forApp.globalStyle, ...forApp.pages.map(({ style }) => style)]
  for (const path of styles.flatMap(subWindowPaths))
    await write(
      projectPath(path.replace(/(\.nvue)?$/, '.nvue')),
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
  return { folder, text, resolved, probes }
}

/** Returns the paths of the sub-windows of a style: `subNVues` is one object or a list. */
const subWindowPaths = (style: Record<string, Json>): string[] =>
  [(style['app-plus'] as { subNVues?: { path?: string } | { path?: string }[] } | undefined)?.subNVues ?? []]
    .flat()
    .flatMap(({ path }) => path ?? [])

/** A gray PNG of 8 × 8 px. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAADUlEQVR42mNoIBEwUF8BAHRcYAElw9wjAAAAAElFTkSuQmCC',
  'base64',
)

/** Answers requests for network images and fonts locally. */
const answerLocally: NonNullable<Opening['prepare']> = (context) =>
  context.route(
    ({ hostname }) => hostname !== '127.0.0.1' && hostname !== 'localhost',
    (route) =>
      route.request().resourceType() === 'font'
        ? route.fulfill({ path: join(root, 'playground/bars/static/icons.ttf'), contentType: 'font/ttf' })
        : route.fulfill({ body: picture, contentType: 'image/png' }),
  )

/** Opens a project. Only files that name other hosts need routes, which switch off the HTTP cache. */
function openProject({ folder, text }: Project, opening: Omit<Opening, 'project'>): Promise<App> {
  const project = { project: folder, ...opening }
  return openApp(/(?:https?:|")\/\//i.test(text) ? { ...project, prepare: answerLocally } : project)
}

const visibleTabs = (resolved: Resolved) =>
  ((resolved.tabBar?.list ?? []) as { pagePath: string; text?: string; visible?: boolean }[]).filter(
    ({ visible }) => visible !== false,
  )

/** Expects the title bar of the current page to match the file. */
async function expectBar({ host }: App, page: ResolvedPage): Promise<void> {
  const { navigationStyle, navigationBarTitleText: title = '', titleImage } = page.style as PageStyle
  const outer = page.style.h5 ?? page.style['app-plus']
  const view = (outer as PageStyle['app-plus'])?.titleNView
  const titleNView = view || undefined
  const isShown = navigationStyle !== 'custom' && view !== false
  const bar = host.locator('.neu-navbar').last()
  if (!isShown)
    return expect.poll(() => host.locator('.neu-navbar').count(), { message: `bar of ${page.path}` }).toBe(0)
  await bar.waitFor()
  if (titleNView?.searchInput || titleImage) return
  const shown = async () => (await bar.locator('.neu-navbar-title').allTextContents()).join('')
  await expect
    .poll(shown, { message: `title of ${page.path}`, interval: 20 })
    .toBe(`${title}${titleNView?.subtitleText ?? ''}`)
}

/** Expects the tabs of the file, and each to open its page. */
async function expectTabs(app: App, resolved: Resolved): Promise<void> {
  const tabs = visibleTabs(resolved)
  const paths = tabs.map(({ pagePath }) => projectPath(pagePath))
  const items = app.host.locator('.neu-tabbar-item')
  const launch = resolved.pages[0]!.path
  if (!paths.includes(launch)) expect(await items.count()).toBe(0)
  if (paths.length === 0) return
  await app.go(paths[0]!, 'switchTab')
  expect((await items.allTextContents()).map((text) => text.trim())).toEqual(tabs.map(({ text }) => text ?? ''))
  const middle = resolved.tabBar?.midButton === undefined ? 0 : 1
  expect(await app.host.locator('.neu-tabbar-mid').count()).toBe(middle)
  for (const index of [...tabs.keys()].slice(1).concat(0)) {
    await items.nth(index).click()
    const path = paths[index]!
    await app.app.waitForSelector(`neu-page-window:not([inert]) neu-page[data-page="${path}"]`)
    await expect.poll(() => items.nth(index).getAttribute('aria-current'), { interval: 20 }).toBe('page')
    const page = resolved.pages.find((page) => page.path === path)
    if (page) await expectBar(app, page)
  }
}

async function expectPages(app: App, resolved: Resolved): Promise<void> {
  for (const page of resolved.pages) {
    await app.go(page.path)
    const body = app.app.locator('neu-page-window:not([inert]) .body')
    expect(await body.innerText(), page.path).toMatch(`Page ${page.path}`)
    await expectBar(app, page)
    expect(app.faults(), page.path).toEqual([])
  }
}

async function expectLaunchPage(app: App, { resolved, probes }: Project): Promise<void> {
  const [launch] = resolved.pages
  await expectBar(app, launch!)
  expect(await app.app.locator('.body').first().innerText()).toMatch(`Page ${launch!.path}`)
  for (const shown of probes.values())
    await app.app.locator('.used').getByText(shown, { exact: true }).first().waitFor()
  expect(app.faults()).toEqual([])
}

const read = (corpus: Corpus, file: string) => readFile(join(corpus.folder, `${file}.json`), 'utf8')

for (const [corpus, { h5, framed, flawed, broken }] of selections) {
  describe(`${corpus.name} built for H5`, () => {
    test.each(Object.entries(h5))('%s: %s', async (file) => {
      const project = await createProject(await read(corpus, file), 'H5')
      const { folder, resolved } = project
      const exists = (path: string) => existsSync(join(folder, path))
      expect(resolved.pages.filter(({ path }) => pageFile({ exists }, path) === undefined)).toEqual([])
      const app = await openProject(project, { platform: 'H5', mode: 'build' })
      await expectLaunchPage(app, project)
      await app.screenshot(`corpus-${file}`)
      await expectTabs(app, resolved)
      await app.screenshot(`corpus-${file}.tab`)
      await expectPages(app, resolved)
      if (Object.keys(resolved.windows).length > 0) await expectWindows(app, file, resolved)
      await app.close()
    })
  })

  describe(`${corpus.name} built for the host`, () => {
    test.each(framed)('%s on %s: %s', async (file, platform) => {
      const project = await createProject(await read(corpus, file), platform)
      const app = await openProject(project, { platform, mode: 'build' })
      await expectLaunchPage(app, project)
      await app.screenshot(`corpus-${file}.${platform}`)
      await expectTabs(app, project.resolved)
      await app.screenshot(`corpus-${file}.${platform}.tab`)
      await expectPages(app, project.resolved)
      await app.close()
    })
  })

  describe(`${corpus.name} with errors`, () => {
    test.each(Object.entries(flawed))('builds, and is served: %s: %s', async (file) => {
      const { project } = await createWrong(corpus, file)
      const app = await openProject(project, { platform: 'H5', mode: 'build' })
      await expectLaunchPage(app, project)
      await app.close()
      await expectServed(project, file)
    })

    test.each(Object.entries(broken))('fails to build, but is served: %s: %s', async (file) => {
      const { project, errors } = await createWrong(corpus, file)
      const { code } = errors.find(({ blocks }) => blocks)!
      await expect(openApp({ project: project.folder, platform: 'H5', mode: 'build' })).rejects.toThrow(
        `error[${code}]`,
      )
      await expectServed(project, file)
    })
  })
}

async function createWrong(corpus: Corpus, file: string) {
  const text = await read(corpus, file)
  const errors = check(readPages(text), {}).filter(({ severity }) => severity === 'error')
  expect(errors.length).toBeGreaterThan(0)
  return { project: await createProject(text, 'H5'), errors }
}

/** Expects that the development server shows the errors, and draws the pages all the same. */
async function expectServed(project: Project, file: string): Promise<void> {
  const { resolved } = project
  const app = await openProject(project, { platform: 'H5', mode: 'serve' })
  await app.page.getByRole('button', { name: /pages\.json: \d+ errors?/ }).waitFor()
  await app.screenshot(`corpus-${file}.wrong`)
  await app.page.getByRole('button', { name: 'Close', exact: true }).press('Enter')
  await expectBar(app, resolved.pages[0]!)
  await expectPages(app, resolved)
  await app.close()
}

/** Expects the side windows beside the launch page of a wide screen, unless the page or a width of 0 hides them. */
async function expectWindows(app: App, name: string, resolved: Resolved): Promise<void> {
  const [{ path, style }] = resolved.pages as [ResolvedPage]
  await app.page.setViewportSize({ width: 1400, height: 800 })
  await app.go(path)
  for (const [window, { style: windowStyle }] of Object.entries(resolved.windows)) {
    const shown = app.app.getByText(`Window ${window}`, { exact: true })
    if (style[window] === false || windowStyle.width === '0px') expect(await shown.isVisible(), window).toBe(false)
    else await shown.waitFor()
  }
  await app.screenshot(`corpus-${name}.wide`)
  expect(app.faults()).toEqual([])
}

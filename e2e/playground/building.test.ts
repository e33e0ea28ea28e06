import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Release, release } from '../../packages/vite-plugin/src/index.ts'
import { afterTest } from '../browser.ts'
import { type App, openApp, type Platform } from './fixture.ts'
import { appsOf, becomes, styleOf, top, usedApps } from './measure.ts'

/** Tests the build, and updates in development, with `playground/building`. */

const root = join(import.meta.dirname, '../..')

const used = usedApps()

type Files = Record<string, string | ((text: string) => string)>

/** Returns the folder of a copy of the project with changed files, which exists until the end of the test or file. */
async function copyProject(files: Files = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'souk-building-'))
  afterTest(() => rm(folder, { recursive: true, force: true }))
  await cp(join(root, 'playground/building'), folder, {
    recursive: true,
    filter: (path) => !/\/(?:node_modules|dist)(?:\/|$)/.test(path.slice(root.length)),
  })
  await change(folder, files)
  return folder
}

async function change(folder: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, typeof text === 'string' ? text : text(await readFile(file, 'utf8')))
  }
}

const replace = (old: string, by: string) => (text: string) => {
  if (!text.includes(old)) throw new Error(`The text does not contain ${old}`)
  return text.replace(old, by)
}

const shown = ({ app }: App, selector: string) => app.locator(`${top} ${selector}`).innerText()
const title = ({ host }: App) => host.locator('.neu-navbar-title').last()

/** Records the paths that the browser requests. */
function recordRequests() {
  const paths: string[] = []
  return {
    prepare: async (context: Parameters<NonNullable<Parameters<typeof openApp>[0]['prepare']>>[0]) => {
      context.on('request', (request) => paths.push(new URL(request.url()).pathname))
    },
    /** Returns and clears the recorded paths. */
    takePaths: () => paths.splice(0),
  }
}

// In a frame, only conditional comments distinguish the platforms.
describe.each([
  ['serve', ['H5', 'Mini App']],
  ['build', ['H5', 'App']],
] as const)('%s', (mode, platforms) => {
  const apps = appsOf('building', mode)

  describe.each(platforms)('%s', (platform) => {
    async function at(path: string): Promise<App> {
      const app = await apps(platform)
      used.add(app)
      await app.go(path)
      return app
    }

    test('finds easycom components by folder and rule, and prefers imports of the page', async () => {
      const app = await at('pages/rules/rules')
      expect(await shown(app, '.card')).toBe('Found in components/')
      expect(await shown(app, '.hyphenated')).toBe('Written in camel case')
      expect(await shown(app, '.badge')).toBe('A badge of the kit')
      expect(await shown(app, '.local')).toBe('The card of this page')
    })

    test('finds usingComponents of globalStyle and page, and prefers components the page registers', async () => {
      const app = await at('pages/registered/registered')
      expect(await shown(app, '.footer')).toBe('The footer of all pages')
      expect(await shown(app, '.stamp')).toBe('The stamp of this page')
      expect(await shown(app, '.local')).toBe('The card of this page')
    })

    test('converts rpx and taps in bound objects, and passes listeners to the root of a component', async () => {
      const app = await at('pages/bound/bound')
      expect(await styleOf(app, `${top} .box`, 'width')).toBe('100px')
      expect((await app.app.locator(`${top} .first`).boundingBox())!.width).toBe(375 - 37.5)
      await app.app.locator(`${top} .card`).click()
      await becomes(() => shown(app, '.taps'), '1')
      await app.app.locator(`${top} .listeners`).click()
      await becomes(() => shown(app, '.taps'), '2')
    })

    test('provides neu to modules while they load, and lets them check for localStorage', async () => {
      const app = await at('pages/bound/bound')
      const name = { H5: 'web', App: 'app', 'Mini App': 'mp-neu' }[platform]
      const storage = platform === 'H5' ? 'object object' : 'undefined undefined'
      for (const selector of ['.early', '.shared'])
        expect(JSON.parse(await shown(app, selector))).toEqual(['', name, true, [], 'undefined', storage])
    })

    const parts = {
      H5: ['the web', 'For the web', 'rgb(205, 229, 225)'],
      App: ['the app', 'For the app', 'rgb(240, 217, 181)'],
      'Mini App': ['the mini app', 'For the mini app', 'rgb(233, 199, 190)'],
    } as const

    test('applies conditional comments in pages.json, template, script and style', async () => {
      const app = await at('pages/conditional/conditional')
      const [place, bar, color] = parts[platform]
      expect(await app.app.locator(`${top} .template`).allInnerTexts()).toEqual([`template: ${place}`])
      expect(await app.app.locator(`${top} .host`).count()).toBe(platform === 'H5' ? 0 : 1)
      expect(await shown(app, '.script')).toBe(`script: ${place}`)
      expect(await styleOf(app, `${top} .styled`, 'background-color')).toBe(color)
      expect(await title(app).innerText()).toBe(bar)
    })

    test('includes a page for one platform on that platform only', async () => {
      const app = await apps(platform)
      if (platform === 'H5') {
        await app.go('pages/web/web')
        expect(await title(app).innerText()).toBe('Web only')
      } else {
        await expect(app.neu('navigateTo', { url: '/pages/web/web' })).rejects.toThrow(
          'navigateTo:fail page "pages/web/web" is not found',
        )
        expect(app.faults().join()).toMatch(/^(?:error: page "pages\/web\/web" is not found)?$/)
      }
    })
  })

  test('loads a subpackage when one of its pages is opened, and no unused components', async () => {
    const { prepare, takePaths } = recordRequests()
    const app = await openApp({ project: 'building', platform: 'H5', mode, prepare })
    used.add(app)
    await app.go('pages/rules/rules')
    const paths = takePaths()
    expect(paths.join('\n')).toContain(mode === 'serve' ? 'auto-card.vue' : '/assets/')
    expect(paths.join('\n')).not.toMatch(/unused-card|components\/local-card/)
    const shopPaths = (paths: string[]) => paths.filter((path) => /\bshop\b/.test(path) && !/\.css/.test(path))
    expect(shopPaths(paths)).toEqual([])
    await app.go('shop/list/list', 'navigateTo')
    expect(await title(app).innerText()).toBe('Shop')
    const first = shopPaths(takePaths())
    expect(first.length).toBeGreaterThan(0)
    await app.go('shop/item/item', 'navigateTo')
    expect(await shown(app, '.item')).toBe('Two hundred grams of beans')
    // A release bundles a subpackage in one file; development loads pages separately.
    if (mode === 'build') {
      expect(new Set(first).size).toBe(1)
      expect(shopPaths(takePaths())).toEqual([])
    }
    await app.close()
  })

  test('resolves easycom rules into packages, and only rules if autoscan is false', async () => {
    const project = await copyProject({
      'node_modules/coffee-parts/package.json': '{ "name": "coffee-parts", "version": "1.0.0" }',
      'node_modules/coffee-parts/vue/cup.vue': '<template><view class="cup">A cup of the package</view></template>',
      'pages/rules/rules.vue': replace('<kit-badge />', '<kit-badge /><parts-cup />'),
      'pages.json': replace('"autoscan": true', '"autoscan": false'),
    })
    const app = await openApp({ project, platform: 'H5', mode, path: 'pages/rules/rules' })
    expect(await shown(app, '.cup')).toBe('A cup of the package')
    expect(await shown(app, '.badge')).toBe('A badge of the kit')
    expect(await app.app.locator(`${top} .card`).count()).toBe(0)
    // In development Vue warns about unknown tags.
    expect(app.faults().every((fault) => /Failed to resolve component: (?:auto-card|hyphenatedName)/.test(fault))).toBe(
      true,
    )
    await app.close()
  })
})

// Each kind is compiled in the same way in both modes.
describe('App.vue', () => {
  const launch = 'globalThis.launched = true'
  const scriptSetup = `<script setup>\nimport { onLaunch } from '@souk/runtime'\nonLaunch(() => { ${launch} })\n</script>`
  const options = `<script>\nexport default { onLaunch() { ${launch} } }\n</script>`
  const wrapper = `${options}\n<template><view class="around"><slot /></view></template>`

  test.each([
    ['serve', 'options', options],
    ['serve', 'only styles', ''],
    ['build', 'a script without a template', scriptSetup],
    ['build', 'a wrapper around the pages', wrapper],
  ] as const)('%s: may be %s', async (mode, _, script) => {
    const style = '<style lang="scss">\n$ink: rgb(1, 2, 3);\npage { color: $ink }\n</style>\n'
    const project = await copyProject({ 'App.vue': `${script}\n${style}` })
    const app = await openApp({ project, platform: 'H5', mode })
    used.add(app)
    expect(await shown(app, '.footer')).toBe('The footer of all pages')
    expect(await styleOf(app, `${top} neu-page`, 'color')).toBe('rgb(1, 2, 3)')
    expect(await app.app.evaluate(() => 'launched' in globalThis)).toBe(script !== '')
    expect(await app.app.locator('.around').count()).toBe(script.includes('around') ? 1 : 0)
    await app.close()
  })
})

describe('a release', () => {
  /** Returns the text of all code files. A release for hosts also contains the unchanged pages.json. */
  const textOf = async ({ folder, files }: Release) => {
    const paths = files.map(({ path }) => path).filter((path) => path !== 'pages.json')
    return (await Promise.all(paths.map((path) => readFile(join(folder, path), 'utf8')))).join('\n')
  }

  async function buildRelease(project: string, platform: Platform = 'H5') {
    const folder = await mkdtemp(join(tmpdir(), 'souk-release-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    return release({ project, platform, out: join(folder, 'release') })
  }

  test('contains no unused components, start modes or code for other platforms', async () => {
    const text = await textOf(await buildRelease(join(root, 'playground/building'), 'Mini App'))
    expect(text).toContain('The card of this page')
    expect(text).toContain('A badge of the kit')
    expect(text).not.toContain('This card is unused')
    expect(text).not.toContain('A query')
    expect(text).toContain('template: the mini app')
    expect(text).not.toMatch(/(?:template|script): the (?:web|app)|For the (?:web|app)|This page is there on the web/)
  })

  test('loads the list of pages in advance, so that the first navigation loads only its page', async () => {
    const { prepare, takePaths } = recordRequests()
    const app = await openApp({ project: 'building', platform: 'H5', mode: 'build', prepare })
    used.add(app)
    const isRoutes = (path: string) => /\/routes-[\w-]+\.js$/.test(path)
    const before: string[] = []
    await expect.poll(() => before.push(...takePaths()) && before.some(isRoutes)).toBe(true)
  })

  test('has a first load independent of the number of pages in a subpackage', async () => {
    const weight = ({ files, firstLoad }: Release) =>
      files.filter(({ path }) => firstLoad.includes(path)).reduce((sum, { gzipped }) => sum + gzipped, 0)
    const names = Array.from({ length: 40 }, (_, index) => `more${index}/more${index}`)
    const small = await buildRelease(await copyProject())
    const large = await buildRelease(
      await copyProject({
        ...Object.fromEntries(
          names.map((name) => [`shop/${name}.vue`, `<template><view>${name.repeat(50)}</view></template>`]),
        ),
        'pages.json': replace(
          '"pages": [\n        { "path": "list/list"',
          `"pages": [\n${names.map((name) => `{ "path": "${name}" },`).join('\n')}\n{ "path": "list/list"`,
        ),
      }),
    )
    expect(Math.abs(weight(large) - weight(small))).toBeLessThan(60)
    expect(large.files.filter(({ path }) => /assets\/shop.*\.js$/.test(path))).toHaveLength(1)
  })
})

describe('development', () => {
  const mark = (app: App) => app.app.evaluate(() => void Object.assign(window, { isMarked: true }))
  const isMarked = (app: App) => app.app.evaluate(() => 'isMarked' in window)

  describe.each(['H5', 'Mini App'] as const)('%s', (platform) => {
    let project: string
    let app: App

    beforeAll(async () => {
      const bars = `"tabBar": { "color": "#5F6470", "selectedColor": "#0B6B63", "backgroundColor": "#FFFFFF", "list": [
        { "pagePath": "pages/index/index", "text": "Start" }, { "pagePath": "pages/rules/rules", "text": "Rules" } ] },
      "subPackages"`
      project = await copyProject({
        'pages.json': replace('"subPackages"', bars),
        'pages/index/index.vue': `<script setup>
import { ref } from 'vue'
const count = ref(0)
</script>
<template><view><view class="count">before {{ count }}</view><button class="more" @tap="count++">More</button><auto-card title="Card" /><app-footer /></view></template>`,
      })
      app = await openApp({ project, platform, mode: 'serve', isOnDevicePage: true })
    })

    test('starts the app in a mode chosen from a menu', async () => {
      used.add(app)
      expect(await app.app.locator(`${top} neu-page`).getAttribute('data-page')).toBe('pages/index/index')
      const { page } = app
      await page.getByRole('button', { name: 'Start mode: As in a release' }).click()
      const menu = page.getByRole('dialog', { name: 'Start with' })
      await menu.waitFor()
      expect((await menu.locator('.item').allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
        'Launch page',
        'As in a release',
        'A query',
        'The shop',
      ])
      await app.screenshot(`building-start-modes-${platform}`)
      await menu.getByRole('button', { name: 'A query' }).click()
      await page.getByRole('button', { name: 'Start mode: A query' }).waitFor()
      await becomes(() => shown(app, '.query').catch(() => ''), '{"id":"7","name":"bread"}')
      await page.getByRole('button', { name: 'Start mode: A query' }).click()
      await menu.getByRole('button', { name: 'The shop' }).click()
      await page.getByRole('button', { name: 'Start mode: The shop' }).waitFor()
      await becomes(
        () =>
          title(app)
            .innerText()
            .catch(() => ''),
        'Shop',
      )
      // The host draws the bar before the page is there.
      const path = () => app.app.locator(`${top} neu-page`).getAttribute('data-page')
      await becomes(() => path().catch(() => ''), 'shop/list/list')
    })

    test('updates pages, components and pages.json in place', async () => {
      used.add(app)
      await app.go('pages/index/index')
      await app.app.locator('.more').click()
      await mark(app)
      // Change text and add a tag that the page has not used before.
      await change(project, {
        'pages/index/index.vue': replace(
          '<view class="count">before {{ count }}</view>',
          '<view class="count">after {{ count }}</view><slider class="slider" :value="30" />',
        ),
      })
      await becomes(() => shown(app, '.count'), 'after 1')
      await app.app.waitForSelector('neu-slider.slider')
      await change(project, { 'components/auto-card/auto-card.vue': replace('{{ title }}', '{{ title }} of paper') })
      await becomes(() => shown(app, '.card'), 'Card of paper')
      // Change title, colors and tabs.
      await change(project, {
        'pages.json': (text) =>
          text
            .replace('"navigationBarTitleText": "Building"', '"navigationBarTitleText": "Rebuilt"')
            .replace('"navigationBarBackgroundColor": "#DCEEEA"', '"navigationBarBackgroundColor": "#E9C7BE"')
            .replace('"backgroundColor": "#F7F3E8"', '"backgroundColor": "#EDE6D6"')
            .replace('"text": "Rules"', '"text": "All rules"'),
      })
      await becomes(() => title(app).innerText(), 'Rebuilt')
      await becomes(
        () =>
          app.host
            .locator('.neu-navbar-background')
            .last()
            .evaluate((element) => getComputedStyle(element).backgroundColor),
        'rgb(233, 199, 190)',
      )
      await becomes(() => styleOf(app, top, 'background-color'), 'rgb(237, 230, 214)')
      await app.host.getByText('All rules').waitFor()
      expect(await shown(app, '.count')).toBe('after 1')
      expect(await isMarked(app)).toBe(true)
    })

    test('shows errors and warnings of pages.json in the page', async () => {
      await change(project, {
        'pages.json': replace('"navigationBarTextStyle": "black"', '"navigationBarTextStyle": 7'),
      })
      const { page } = app
      const dialog = page.getByRole('dialog', { name: /pages\.json: 1 error/ })
      await dialog.waitFor()
      expect(await dialog.locator('.item').innerText()).toMatch(
        /navigationBarTextStyle[\s\S]*error\[[\w-]+\] pages\.json:\d+:\d+/,
      )
      await app.screenshot(`building-diagnostics-${platform}`)
      // The app still runs below the dialog.
      expect(await shown(app, '.footer')).toBe('The footer of all pages')
      await change(project, {
        'pages.json': replace('"navigationBarTextStyle": 7', '"navigationBarTextStyle": "black"'),
      })
      await dialog.waitFor({ state: 'detached' })
      await change(project, { 'pages.json': replace('"navigationBarTitleText"', '"navigationBarTitelText"') })
      await page.getByRole('button', { name: 'pages.json: 1 warning' }).click()
      expect(await page.getByRole('dialog').locator('.item').innerText()).toContain(
        'did you mean "navigationBarTitleText"?',
      )
    })
  })

  test('does not call hooks of a replaced page, and replaces App.vue without a template', async () => {
    const options = '<script>\nexport default { onShow() {}, globalData: { version: 1 } }\n</script>\n'
    const project = await copyProject({
      'App.vue': options,
      'pages/index/index.vue': `<script setup>
import { onLoad, onShow } from '@souk/runtime'
globalThis.called ??= []
onLoad(() => called.push('onLoad 1'))
onShow(() => called.push('onShow 1'))
</script>
<template><view class="index">1</view></template>`,
    })
    const app = await openApp({ project, platform: 'H5', mode: 'serve' })
    used.add(app)
    const called = () => app.app.evaluate(() => (globalThis as unknown as { called: string[] }).called.splice(0))
    expect(await called()).toEqual(['onLoad 1', 'onShow 1'])
    await mark(app)
    await change(project, { 'pages/index/index.vue': (text) => text.replaceAll('1', '2') })
    await becomes(() => shown(app, '.index'), '2')
    expect(await called()).toEqual(['onLoad 2', 'onShow 2'])
    await change(project, { 'App.vue': replace('version: 1', 'version: 2') })
    const version = () =>
      app.app.evaluate(
        () => (globalThis as unknown as { getApp(): { globalData: { version: number } } }).getApp().globalData.version,
      )
    await becomes(version, 2)
    expect(await shown(app, '.index')).toBe('2')
    expect(await isMarked(app)).toBe(true)
    await app.close()
  })
})

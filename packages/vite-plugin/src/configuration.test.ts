import { join } from 'node:path'
import { asObject } from '@souk/pages'
import { expect, test } from 'vitest'
import { pagesOf, projectOf } from '../test/project.ts'
import { MiniApp } from './miniApp.ts'
import type { Options } from './options.ts'

async function open(pagesJson: object, options: Options = {}, files: Record<string, string> = {}) {
  const app = new MiniApp(options)
  app.isDevelopment = true
  await app.open(await projectOf({ ...pagesOf(['pages/a/a', 'pages/b/b']), ...files, 'pages.json': pagesJson }))
  return app
}

const pages = (style: object = {}) => [{ path: 'pages/a/a', style }, { path: 'pages/b/b' }]

test('a page contains only what differs from an empty page', async () => {
  const { configuration } = await open({
    globalStyle: { navigationBarTitleText: 'All', backgroundColor: '#eeeeee' },
    pages: pages({ navigationBarTitleText: 'One', backgroundColor: '#eeeeee', usingComponents: { 'a-b': './b' } }),
  })
  expect(configuration.app.launch).toBe('pages/a/a')
  expect(configuration.app.style).toMatchObject({ navigationBarTitleText: 'All', onReachBottomDistance: 50 })
  expect(configuration.pages).toEqual([
    { path: 'pages/a/a', style: { navigationBarTitleText: 'One' } },
    { path: 'pages/b/b', style: {} },
  ])
})

test.each([
  ['H5', { 'manifest.json': '{}' }, undefined, undefined],
  ['H5', {}, '#eeeeee', '#dddddd'],
  ['App', { 'manifest.json': '{}' }, '#eeeeee', '#dddddd'],
] as const)('pages on %s, in a project with %j, have the background %s or %s', async (platform, files, all, own) => {
  const config = { globalStyle: { backgroundColor: '#eeeeee' }, pages: pages({ backgroundColor: '#dddddd' }) }
  const { configuration } = await open(config, { platform }, files)
  expect(configuration.app.style.backgroundColor).toBe(all)
  expect(configuration.pages[0]!.style.backgroundColor).toBe(own)
})

test('a key that a page does not have is null', async () => {
  const pagesJson = { globalStyle: { 'app-plus': { bounce: 'none' } }, pages: pages() }
  const { configuration } = await open(pagesJson, { platform: 'App' }, { 'pages/b/b.nvue': '' })
  expect(configuration.app.style).toHaveProperty('app-plus.bounce', 'none')
  const { configuration: native } = await (async () => {
    const app = new MiniApp({ platform: 'App' })
    const folder = await projectOf({
      'pages.json': { ...pagesJson, pages: [{ path: 'pages/n/n' }] },
      'pages/n/n.nvue': '',
    })
    await app.open(folder)
    return app
  })()
  expect(native.pages[0]!.style['app-plus']).not.toHaveProperty('bounce')
})

test('a titleNView contains what the engine resolved, with the colors that follow the title beside it', async () => {
  const buttons = [{ text: 'a' }, { text: 'b', color: '#000000' }]
  const style = { navigationBarTitleText: 'A', 'app-plus': { titleNView: { titleSize: '20px', buttons } } }
  const { configuration, resolved } = await open({ pages: pages(style) }, { platform: 'App' })
  const [page, plain] = configuration.pages
  expect(page!.style['app-plus']!.titleNView).toEqual(asObject(resolved.pages[0]!.style['app-plus'])!.titleNView)
  expect(page!.followsTitle).toContain('buttons[0].color')
  expect(page!.followsTitle).not.toContain('buttons[1].color')
  expect(plain).not.toHaveProperty('followsTitle')
})

test('leaves an omitted refresh style to the device', async () => {
  const plus = (pullToRefresh: object) => ({ 'app-plus': { pullToRefresh } })
  const own = { pages: pages(plus({ support: true, color: '#112233' })) }
  const { configuration } = await open(own, { platform: 'App' })
  expect(configuration.pages[0]!.style['app-plus']!.pullToRefresh).toMatchObject({ support: true, color: '#112233' })
  expect(configuration.pages[0]!.style['app-plus']!.pullToRefresh).not.toHaveProperty('style')
  const named = await open({ pages: pages(plus({ style: 'circle' })) }, { platform: 'App' })
  expect(named.configuration.pages[0]!.style['app-plus']!.pullToRefresh).toHaveProperty('style', 'circle')
})

test('makes file paths relative to the app’s folder', async () => {
  const list = [
    { pagePath: 'pages/a/a', text: 'A', iconPath: '/static/a.png', selectedIconPath: '@/static/b.png' },
    { pagePath: 'pages/b/b', text: 'B', iconPath: './static/a.png' },
  ]
  const tabBar = {
    color: '#000000',
    selectedColor: '#ff0000',
    backgroundColor: '#ffffff',
    iconfontSrc: '/static/i.ttf',
    list,
  }
  const backgroundImage = 'linear-gradient(to right, #ff0000, #0000ff)'
  const { configuration } = await open(
    {
      pages: pages({ 'app-plus': { titleNView: { backgroundImage, buttons: [{ fontSrc: '/static/f.ttf' }] } } }),
      tabBar,
    },
    { platform: 'App' },
  )
  expect(configuration.app.tabBar).toMatchObject({
    iconfontSrc: 'static/i.ttf',
    list: [{ iconPath: 'static/a.png', selectedIconPath: 'static/b.png' }, { iconPath: 'static/a.png' }],
  })
  expect(configuration.pages[0]!.style['app-plus']).toMatchObject({
    titleNView: { backgroundImage, buttons: [{ fontSrc: 'static/f.ttf' }] },
  })
})

test('returns sub-windows as written, with their files', async () => {
  const subNVues = [
    { id: 'one', path: 'pages/a/one', style: { position: 'dock' } },
    { id: 'two', path: 'two.nvue' },
    { id: 'gone', path: 'pages/a/gone' },
  ]
  const app = await open(
    { pages: pages({ 'app-plus': { subNVues } }) },
    { platform: 'App' },
    { 'pages/a/one.nvue': '', 'pages/a/two.nvue': '' },
  )
  const [page] = app.resolved.pages
  expect(app.subWindows(page!).map(({ config, file }) => [config, file.replace(`${app.root}/`, '')])).toEqual([
    [subNVues[0], 'pages/a/one.nvue'],
    [subNVues[1], 'pages/a/two.nvue'],
  ])
})

test('a release warns of what its platform drops, and development does not', async () => {
  const list = ['a', 'b'].map((name) => ({ pagePath: `pages/${name}/${name}`, text: name }))
  const [first, second] = list
  const tabBar = {
    color: '#000000',
    selectedColor: '#0000FF',
    backgroundColor: '#FFFFFF',
    list: [first, { ...second, visible: false, iconfont: { text: 'x' } }],
    midButton: { text: '+', iconfont: { text: 'y' } },
  }
  const app = await open({ pages: pages(), tabBar }, { platform: 'Mini App' })
  const dropped = () =>
    app.diagnostics.flatMap(({ code, offset, length }) =>
      code === 'key-platform' ? [app.text.slice(offset, offset + length)] : [],
    )
  expect(dropped()).toEqual([])
  app.isDevelopment = false
  await app.read()
  expect(dropped()).toEqual(['"visible"', '"iconfont"', '"midButton"'])
  expect(app.report()).toContain('"midButton" has no effect on Mini App: it works on H5 and App (pages-json §2.7).')
})

test('finds sub-windows relative to the root of their subpackage, as the checks do', async () => {
  const subNVues = [{ id: 'one', path: 'a/one' }]
  const app = await open(
    {
      pages: pages(),
      subPackages: [{ root: 'shop/', pages: [{ path: 'a/a', style: { 'app-plus': { subNVues } } }] }],
    },
    { platform: 'App' },
    { 'shop/a/a.vue': '', 'shop/a/one.nvue': '' },
  )
  expect(app.diagnostics).toEqual([])
  expect(app.subWindows(app.resolved.pages[2]!).map(({ file }) => file)).toEqual([join(app.root, 'shop/a/one.nvue')])
})

test('includes start modes in development only', async () => {
  const condition = { current: 0, list: [{ name: 'b', path: 'pages/b/b', query: 'c=1' }] }
  const app = await open({ pages: pages(), condition })
  expect(app.configuration.app.condition).toEqual(condition)
  app.isDevelopment = false
  await app.read()
  expect(app.configuration.app).not.toHaveProperty('condition')
})

test('start modes have the page, query and index that the checks accept', async () => {
  const list = [{ name: 'none' }, { name: 'b', path: './pages/b/b?c=1', query: 'd=2' }, { name: 'empty', path: '' }]
  const { configuration, diagnostics } = await open({ pages: pages(), condition: { current: 1, list } })
  expect(diagnostics.map(({ code, blocks }) => [code, blocks])).toEqual([['key-required', false]])
  expect(configuration.app.condition).toEqual({
    current: 1,
    list: [
      { name: 'none', path: 'pages/a/a' },
      { name: 'b', path: 'pages/b/b', query: 'c=1&d=2' },
      { name: 'empty', path: 'pages/a/a' },
    ],
  })
})

test('uses the parent folder of src for package.json and dist', async () => {
  const app = new MiniApp({})
  const folder = await projectOf({ 'package.json': {}, 'src/pages.json': { pages: [] } })
  await app.open(folder)
  expect([app.folder, app.root]).toEqual([folder, `${folder}/src`])
})

test('hands over the timeouts of manifest.json that a timer can have', async () => {
  const of = async (networkTimeout: unknown) => {
    const app = new MiniApp({})
    await app.open(await projectOf({ 'pages.json': { pages: pages() }, 'manifest.json': { networkTimeout } }))
    return app.configuration.app.networkTimeout
  }
  expect(await of({ request: 5000, uploadFile: 1, connectSocket: 0, downloadFile: '10', other: 1 })).toEqual({
    request: 5000,
    uploadFile: 1,
  })
  for (const none of [undefined, null, 1, {}, { request: 1e12 }]) expect(await of(none)).toBeUndefined()
})

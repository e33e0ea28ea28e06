import { readFileSync } from 'node:fs'
import { type ResolvedPage, sourceFor } from '@souk/pages'
import { normalizePath, parseSync } from 'vite'
import { schemasModule } from './hostFunctions.ts'
import { type MiniApp, trimRoot } from './miniApp.ts'
import { neuModules } from './neuModules.ts'
import { documentScripts } from './ownDocument.ts'

/** URL of the entry module in index.html. */
export const entry = '/@souk/entry.js'
/** URL of the module that is added in development. */
const development = '/@souk/development.js'

/** Prefix of the ids of modules generated from pages.json. */
export const prefix = '\0virtual:souk/'
export const pageId = (path: string): string => `virtual:souk/page/${path}`
const subpackageId = (root: string) => `virtual:souk/subpackage/${root}`

/** Returns the source of a module by its id without `prefix`, or undefined. */
export function virtualModule(app: MiniApp, name: string): string | undefined {
  if (name === 'entry') return entryModule(app)
  if (name === 'main') return projectModule(app)
  if (name === 'app') return `export default ${JSON.stringify(app.configuration.app)}\n`
  if (name === 'pages') return `export default ${JSON.stringify(app.configuration.pages)}\n`
  if (name === 'routes') return routesModule(app)
  if (name === 'host-functions') return schemasModule(app.hostFunctions)
  if (name === 'custom-events') return `export default ${JSON.stringify(app.customEvents)}\n`
  if (name === 'main-vue') return mainVueModule
  if (name === 'load') return loadModule
  const [, kind, path] = /^(page|subpackage)\/(.*)$/s.exec(name) ?? []
  if (kind === 'page') return pageModule(app, path!)
  if (kind === 'subpackage') return subpackageModule(app, path!)
  return undefined
}

function entryModule(app: MiniApp): string {
  const windows = Object.keys(app.configuration.app.windows).flatMap((name) => {
    const file = app.pageFile(app.configuration.app.windows[name as 'leftWindow']!.path)
    return file ? [`${name}: () => import(${literal(file)}).then((it) => it.default)`] : []
  })
  const { launch } = app
  const project = [app.rootFile && 'root', mainFile(app) && 'setup', app.customTabBar && 'tabBar']
    .filter(Boolean)
    .join(', ')
  const first = launch && pageExports(app, launch).join(', ')
  return lines(
    // First, so that all other styles override it.
    `import '@souk/tags/tags.css'`,
    app.isUniAppOnH5 && `import '@souk/runtime/uniApp.css'`,
    ...neuForDocument(app).map((name) => `import '@souk/runtime/${name}'`),
    app.isDevelopment &&
      `import { createHost, onConfiguration, reloadAfterFailure, withStartMode } from '${development}'`,
    `import { createMiniApp${app.isDevelopment ? ', updateConfig' : ''} } from '@souk/runtime/createMiniApp'`,
    `import app from 'virtual:souk/app'`,
    // Before App.vue, so that its styles override those of tags.
    ...(app.inertStart ?? []).map((file) => `import ${literal(file)}`),
    app.inertStart && `import { ${project} } from 'virtual:souk/main'`,
    app.inertStart && `import { ${first} } from ${literal(pageId(launch!.path))}`,
    `createMiniApp({`,
    app.isDevelopment ? '  app: withStartMode(app),' : '  app,',
    project &&
      `  project: () => ${app.inertStart ? `Promise.resolve({ ${project} })` : `import('virtual:souk/main')`},`,
    launch
      ? `  launch: () => ${app.inertStart ? `Promise.resolve({ ${first} })` : importPage(app, launch.path, launch.root)},`
      : `  launch: () => Promise.reject(new Error('pages.json has no pages')),`,
    `  routes: () => import('virtual:souk/routes').then((it) => it.default),`,
    `  pages: () => import('virtual:souk/pages').then((it) => it.default),`,
    app.hostFunctions.length > 0 &&
      `  hostFunctions: () => import('virtual:souk/host-functions').then((it) => it.default),`,
    app.isDevelopment && `  customEvents: () => import('virtual:souk/custom-events').then((it) => it.default),`,
    windows.length > 0 && `  windows: { ${windows.join(', ')} },`,
    app.isDevelopment && app.platform === 'H5' && `  host: createHost,`,
    `})`,
    app.isDevelopment && `onConfiguration(updateConfig)`,
  )
}

/** Returns the parts of `neu` that scripts of the document need. Releases load what modules need before these. */
const neuForDocument = (app: MiniApp): string[] => (app.isDevelopment ? ['neu'] : neuModules(documentScripts(app)))

/**
 * Generates the module for App.vue, main.js and the component that replaces the tab bar. The bundler visits entries in
 * the order of their names; `main` comes before `page`, as it runs before all pages.
 */
function projectModule(app: MiniApp): string {
  const main = mainFile(app)
  return lines(
    // First, as main.js is the entry in uni-app: what it imports before App.vue runs before App.vue.
    main && `import * as main from ${literal(main)}`,
    app.rootFile && `export { default as root } from ${literal(app.rootFile)}`,
    app.customTabBar && `export { default as tabBar } from ${literal(app.customTabBar)}`,
    main && `import { use } from 'virtual:souk/main-vue'`,
    // In uni-app projects main.js creates the app; here its createApp() returns the existing one.
    main && `export const setup = (vueApp) => use(vueApp, ${createAppOf(app, main)})`,
  )
}

function mainFile(app: MiniApp): string | undefined {
  const name = ['main.ts', 'main.js', 'main.mts', 'main.mjs'].find((each) => app.files.exists(each))
  return name && `${app.root}/${name}`
}

/** Returns the expression for main.js's function that creates the app. A namespace would need a script of its own. */
function createAppOf(app: MiniApp, file: string): string {
  const { text } = sourceFor(readFileSync(file, 'utf8'), app.platform, app.os)
  const { module, errors } = parseSync(file, text)
  const exported = module.staticExports.flatMap(({ entries }) => entries.map(({ exportName }) => exportName))
  const named = exported.map(({ kind, name }) => (kind === 'Default' ? 'default' : name))
  const found = ['createApp', 'default'].find((name) => named.includes(name))
  if (found) return `main.${found}`
  // `export *`
  const isUnsure = errors.length > 0 || named.includes(null)
  return isUnsure ? `['createApp', 'default'].map((name) => main[name]).find(Boolean)` : 'undefined'
}

const mainVueModule = `export * from 'vue'
let current
export const createApp = () => current
export const createSSRApp = createApp
export function use(vueApp, set) {
  current = vueApp
  if (typeof set === 'function') set(vueApp)
}
`

function routesModule(app: MiniApp): string {
  const routes = app.resolved.pages
    .filter(({ path }) => path !== '' && !(app.inertStart && path === app.launch?.path))
    .map(({ path, root }) => `  ${JSON.stringify(path)}: () => ${importPage(app, path, root, 'load')},`)
  const source = app.isDevelopment
    ? `{ reloadAfterFailure } from '${development}'`
    : `{ load } from 'virtual:souk/load'`
  return lines(`import ${source}`, 'export default {', ...routes, '}')
}

/**
 * Retries failed page loads with a changed URL: the document preloads the script of the launch page, and Chromium keeps
 * the failure by the URL.
 */
const loadModule = `const loaded = new Map()
export async function load(get) {
  try {
    return await get()
  } catch (error) {
    const [, script] = /imported module: (\\S+)/.exec(error.message) ?? []
    if (!script) throw error
    if (!loaded.has(script)) loaded.set(script, import(/* @vite-ignore */ script + '?' + Date.now()))
    return loaded.get(script).catch((again) => {
      loaded.delete(script)
      throw again
    })
  }
}
`

/** Imports a page from the chunk of its subpackage; in development directly, so that it waits for no others. */
function importPage(app: MiniApp, path: string, root: string | undefined, load?: 'load'): string {
  if (app.isDevelopment) return `reloadAfterFailure(import(${literal(pageId(path))}))`
  const imported = (id: string) => (load ? `load(() => import(${literal(id)}))` : `import(${literal(id)})`)
  if (root === undefined) return imported(pageId(path))
  const index = pagesOf(app, trimRoot(root)).indexOf(path)
  return `${imported(subpackageId(trimRoot(root)))}.then((it) => it.page${index})`
}

function subpackageModule(app: MiniApp, root: string): string {
  return lines(
    ...pagesOf(app, root).map(
      (path, index) => `import * as page${index} from ${literal(pageId(path))}\nexport { page${index} }`,
    ),
  )
}

const pagesOf = (app: MiniApp, root: string): string[] =>
  app.resolved.pages.filter((page) => page.root !== undefined && trimRoot(page.root) === root).map(({ path }) => path)

function pageModule(app: MiniApp, path: string): string | undefined {
  const page = app.resolved.pages.find((each) => each.path === path)
  const config = app.configuration.pages.find((each) => each.path === path)
  if (page === undefined || config === undefined) return undefined
  const file = app.pageFile(path)
  // Only in development, where the rest of the app keeps running; a build has already failed.
  if (file === undefined) return `throw new Error(${JSON.stringify(`The page file ${path}.vue does not exist.`)})\n`
  const windows = app
    .subWindows(page)
    .map(
      ({ config, file }) =>
        `${JSON.stringify(config.id)}: { config: ${JSON.stringify(config)}, load: () => import(${literal(file)}).then((it) => it.default) }`,
    )
  return lines(
    `import component from ${literal(file)}`,
    `export { component }`,
    app.isDevelopment && `import { registerConfig } from '${development}'`,
    `export const config = ${app.isDevelopment ? `registerConfig(${JSON.stringify(config)})` : JSON.stringify(config)}`,
    file.endsWith('.nvue') && `export const nvue = true`,
    windows.length > 0 && `export const subNVues = { ${windows.join(', ')} }`,
  )
}

/** Returns the names that the module of a page exports. */
function pageExports(app: MiniApp, page: ResolvedPage): string[] {
  const isNvue = app.pageFile(page.path)?.endsWith('.nvue')
  return ['component', 'config', ...(isNvue ? ['nvue'] : []), ...(app.subWindows(page).length > 0 ? ['subNVues'] : [])]
}

const literal = (path: string) => JSON.stringify(path.startsWith('virtual:') ? path : normalizePath(path))

const lines = (...all: readonly (string | false | undefined)[]) => `${all.filter(Boolean).join('\n')}\n`

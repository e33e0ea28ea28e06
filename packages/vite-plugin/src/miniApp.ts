import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  check,
  customTabBar,
  type Diagnostic,
  defaultPlatform,
  followsDevice,
  type Os,
  type PagesConfig,
  type Platform,
  pageFile,
  projectPath,
  type ReadOptions,
  type Resolved,
  type ResolvedPage,
  readPages,
  resolve,
  type SubNVue,
} from '@souk/pages'
import {
  choosePlatform,
  openProject,
  type Project,
  type ProjectFiles,
  renderDiagnostics,
  styleFor,
} from '@souk/project'
import { normalizePath } from 'vite'
import { withAppearances } from './appearances.ts'
import { type Configuration, configurationOf, subWindowsOf } from './configuration.ts'
import { readCustomEvents } from './customEvents.ts'
import { type HostFunction, readHostFunctions } from './hostFunctions.ts'
import type { Options } from './options.ts'
import { viteConfigOf } from './projectConfig.ts'

/** The mini app that is built or served, shared by all plug-ins. */
export class MiniApp {
  readonly options: Options
  /** Known once the project is found, because its package.json may name it. */
  platform: Platform
  readonly os: Os
  isDevelopment = false
  /** False if tsconfig.json, or a file that it extends, is missing or invalid. */
  isTsconfigReadable = true
  /** The only tsconfig.json, if the configuration of Vite names one. */
  tsconfig: string | undefined
  /** In a release, the files of Souk that App.vue, main.js and the launch page import, if these are inert. */
  inertStart: readonly string[] | undefined
  /** The folder with package.json and `dist`. */
  folder = ''
  /** The folder of pages.json; all paths in it are relative to this folder. */
  root = ''
  /** Absolute path of pages.json. */
  file = ''
  text = ''
  files!: ProjectFiles
  config!: PagesConfig
  resolved!: Resolved
  configuration!: Configuration
  /** The functions of the host that it calls, by name. */
  hostFunctions: readonly HostFunction[] = []
  /** Declarations of the events that it reports, by name. */
  customEvents: object = {}
  /** The configuration in each theme and language. */
  configurations: readonly Configuration[] = []
  /** Diagnostics for this platform. */
  diagnostics: readonly Diagnostic[] = []
  /** Incremented each time pages.json is read. */
  revision = 0

  constructor(options: Options) {
    this.options = options
    this.platform = options.platform ?? defaultPlatform
    this.os = options.os ?? 'Android'
  }

  /** @throws ProjectError if pages.json does not exist or cannot be read */
  async open(path: string): Promise<void> {
    const project = await openProject(await resolveFolder(path))
    this.root = dirname(project.file)
    const above = dirname(this.root)
    this.folder = basename(this.root) === 'src' && existsSync(join(above, 'package.json')) ? above : this.root
    this.platform = choosePlatform(this.folder, this.options.platform).platform
    this.#load(project)
  }

  /** Finds the folders; pages.json may be written later, by plug-ins of the project's vite.config. */
  async locate(path: string): Promise<void> {
    const folder = await resolveFolder(path)
    const source = join(folder, 'src')
    const isWritten = [source, folder].some((each) => existsSync(join(each, 'pages.json')))
    if (isWritten || !existsSync(source) || viteConfigOf(folder) === undefined) return this.open(path)
    this.root = source
    this.folder = folder
    this.platform = choosePlatform(folder, this.options.platform).platform
  }

  /** Reads pages.json and the project's files again. */
  async read(): Promise<void> {
    this.#load(await openProject(this.file))
    this.onRead()
  }

  /** Called after each `read`. */
  onRead: () => void = () => {}

  #load({ file, text, files }: Project): void {
    this.file = file
    this.text = text
    this.files = files
    this.config = readPages(text, { files })
    this.resolved = this.#resolve(this.config)
    const base = this.#configure({})
    const { names } = this.config
    const hasThemes = names !== undefined && followsDevice(names.themes[this.platform])
    const dark = hasThemes ? this.#configure({ theme: 'dark' }) : undefined
    const languages = new Map(
      [...(names?.locales.keys() ?? [])].map((language) => [language, this.#configure({ language })]),
    )
    this.hostFunctions = readHostFunctions(this.root)
    this.customEvents = readCustomEvents(this.root)
    this.configuration = withAppearances(base, { dark, languages })
    this.configurations = [base, ...(dark ? [dark] : []), ...languages.values()]
    // Developers try pages on one platform at a time; what a release lacks is lost.
    const build = this.isDevelopment ? {} : { build: this.platform }
    this.diagnostics = check(this.config, { files, ...build }).filter((each) => each.platforms.includes(this.platform))
    this.revision += 1
  }

  #resolve(config: PagesConfig): Resolved {
    return resolve(config, { platform: this.platform, os: this.os, files: this.files })
  }

  /** Returns the configuration in one theme and language. */
  #configure(shown: Pick<ReadOptions, 'theme' | 'language'>): Configuration {
    const config = readPages(this.text, { files: this.files, ...shown })
    const hasCustomTabBar = pageFile(this.files, customTabBar) !== undefined
    const { isDevelopment } = this
    return configurationOf(config, this.#resolve(config), this.os, { isDevelopment, hasCustomTabBar })
  }

  get errors(): readonly Diagnostic[] {
    return this.diagnostics.filter(({ severity }) => severity === 'error')
  }

  /** Returns errors and warnings for a terminal; undefined if there are none. */
  report(): string | undefined {
    const shown = this.diagnostics.filter(({ severity }) => severity === 'error' || severity === 'warning')
    const style = styleFor(this.options.colors ?? (process.stderr.isTTY === true && !process.env.NO_COLOR))
    return shown.length > 0 ? renderDiagnostics(this.file, this.text, shown, style) : undefined
  }

  /** Returns the page of a file, given its absolute path with forward slashes. */
  pageOf(file: string): ResolvedPage | undefined {
    const root = `${normalizePath(this.root)}/`
    if (!file.startsWith(root)) return undefined
    const path = file.slice(root.length).replace(/\.[nu]?vue$/, '')
    return this.resolved.pages.find((page) => projectPath(page.path) === path)
  }

  /** Whether the build is to look like uni-app's own H5 build of the project. */
  get isUniAppOnH5(): boolean {
    return this.platform === 'H5' && this.files.exists('manifest.json')
  }

  get launch(): ResolvedPage | undefined {
    return this.resolved.pages[0]
  }

  /** Returns the absolute path of a page's file, if it exists. Side windows may include the extension. */
  pageFile(path: string): string | undefined {
    const named = projectPath(path)
    const isFile = /\.[nu]?vue$/.test(named) && this.files.exists(named)
    const found = isFile ? named : pageFile(this.files, named)
    return found && join(this.root, found)
  }

  /** Absolute path of App.vue, if it exists. */
  get rootFile(): string | undefined {
    const name = ['App.vue', 'app.vue', 'App.nvue', 'App.uvue'].find((each) => this.files.exists(each))
    return name && join(this.root, name)
  }

  /** Absolute path of the component that replaces the tab bar, if pages.json asks for it. */
  get customTabBar(): string | undefined {
    return this.configuration.app.tabBar?.custom && this.pageFile(customTabBar)
  }

  subWindows(page: ResolvedPage): { config: SubNVue; file: string }[] {
    return subWindowsOf(page).flatMap((config) => {
      const path = projectPath(config.path ?? '').replace(/\.[nu]?vue$/, '')
      // Relative to the project root, to that of the subpackage or to the page.
      const folders = ['', ...(page.root === undefined ? [] : [`${trimRoot(page.root)}/`]), `${dirname(page.path)}/`]
      const file = folders.map((folder) => this.pageFile(folder + path)).find((each) => each !== undefined)
      return file ? [{ config, file }] : []
    })
  }

  /** Roots of the subpackages that have pages, without leading and trailing slashes. */
  get subpackages(): string[] {
    return [...new Set(this.resolved.pages.flatMap(({ root }) => (root === undefined ? [] : [trimRoot(root)])))]
  }
}

/** Resolves symbolic links of the folder, as Vite does, but not of pages.json, which may link to another project's. */
async function resolveFolder(path: string): Promise<string> {
  const [folder, name] = basename(path) === 'pages.json' ? [dirname(path), 'pages.json'] : [path, '']
  return realpath(folder).then(
    (real) => join(real, name),
    () => path,
  )
}

export const trimRoot = (root: string): string => root.replace(/^(?:\.?\/)+|(?<!\/)\/+$/g, '')

import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  check,
  type Diagnostic,
  type Os,
  type PagesConfig,
  type Platform,
  pageFile,
  platforms,
  projectPath,
  type Resolved,
  type ResolvedPage,
  readPages,
  resolve,
  type SubNVue,
} from '@souk/pages'
import { openProject, type Project, type ProjectFiles, renderDiagnostics, styleFor } from '@souk/project'
import { normalizePath } from 'vite'
import { type Configuration, configurationOf, subWindowsOf } from './configuration.ts'
import type { Options } from './options.ts'

/** The mini app that is built or served, as every plug-in sees it; `read` looks at its pages.json anew. */
export class MiniApp {
  readonly options: Options
  readonly platform: Platform
  readonly os: Os
  isDevelopment = false
  /** The folder of the command line's project: where package.json is, and where `dist` comes to be. */
  folder = ''
  /** The folder of pages.json, which all paths in it start from. */
  root = ''
  /** Absolute path of the pages.json. */
  file = ''
  text = ''
  files!: ProjectFiles
  config!: PagesConfig
  resolved!: Resolved
  configuration!: Configuration
  /** Those that concern the platform. */
  diagnostics: readonly Diagnostic[] = []
  /** Counts the readings. */
  revision = 0

  constructor(options: Options) {
    this.options = options
    this.platform = options.platform ?? platformOf(process.env.SOUK_PLATFORM)
    this.os = options.os ?? 'Android'
  }

  /** @throws ProjectError when there is no pages.json, or when it cannot be read */
  async open(path: string): Promise<void> {
    this.#load(await openProject(await resolveFolder(path)))
    this.root = dirname(this.file)
    const above = dirname(this.root)
    this.folder = basename(this.root) === 'src' && existsSync(join(above, 'package.json')) ? above : this.root
  }

  /** Looks at pages.json and the files around it again. */
  async read(): Promise<void> {
    this.#load(await openProject(this.file))
    this.onRead()
  }

  /** Called after every reading but the first. */
  onRead: () => void = () => {}

  #load({ file, text, files }: Project): void {
    this.file = file
    this.text = text
    this.files = files
    this.config = readPages(text)
    this.resolved = resolve(this.config, { platform: this.platform, os: this.os, files })
    this.configuration = configurationOf(this.config, this.resolved, this.os, this.isDevelopment)
    this.diagnostics = check(this.config, { files }).filter((each) => each.platforms.includes(this.platform))
    this.revision += 1
  }

  get errors(): readonly Diagnostic[] {
    return this.diagnostics.filter(({ severity }) => severity === 'error')
  }

  /** Errors and warnings for a terminal; undefined where there are none. */
  report(): string | undefined {
    const shown = this.diagnostics.filter(({ severity }) => severity === 'error' || severity === 'warning')
    const style = styleFor(this.options.colors ?? (process.stderr.isTTY === true && !process.env.NO_COLOR))
    return shown.length > 0 ? renderDiagnostics(this.file, this.text, shown, style) : undefined
  }

  /** The page whose file this is, given by its absolute path with forward slashes. */
  pageOf(file: string): ResolvedPage | undefined {
    const root = `${normalizePath(this.root)}/`
    if (!file.startsWith(root)) return undefined
    const path = file.slice(root.length).replace(/\.[nu]?vue$/, '')
    return this.resolved.pages.find((page) => projectPath(page.path) === path)
  }

  get launch(): ResolvedPage | undefined {
    return this.resolved.pages[0]
  }

  /** Absolute path of a page's file; undefined where there is none. Side windows name theirs with its extension. */
  pageFile(path: string): string | undefined {
    const named = projectPath(path)
    const isFile = /\.[nu]?vue$/.test(named) && this.files.exists(named)
    const found = isFile ? named : pageFile(this.files, named)
    return found && join(this.root, found)
  }

  /** Absolute path of App.vue; undefined where the project has none. */
  get rootFile(): string | undefined {
    const name = ['App.vue', 'app.vue', 'App.nvue', 'App.uvue'].find((each) => this.files.exists(each))
    return name && join(this.root, name)
  }

  subWindows(page: ResolvedPage): { config: SubNVue; file: string }[] {
    return subWindowsOf(this.config, this.platform, this.os, page).flatMap((config) => {
      const path = projectPath(config.path ?? '').replace(/\.[nu]?vue$/, '')
      // From the project's root, or beside the page.
      const file = this.pageFile(path) ?? this.pageFile(`${dirname(page.path)}/${path}`)
      return file ? [{ config, file }] : []
    })
  }

  /** Roots of the subpackages that have pages, without slashes around them. */
  get subpackages(): string[] {
    return [...new Set(this.resolved.pages.flatMap(({ root }) => (root === undefined ? [] : [trimRoot(root)])))]
  }
}

/** Vite knows files by the folders that they really are in. pages.json itself may be a link to that of another project. */
async function resolveFolder(path: string): Promise<string> {
  const [folder, name] = basename(path) === 'pages.json' ? [dirname(path), 'pages.json'] : [path, '']
  return realpath(folder).then(
    (real) => join(real, name),
    () => path,
  )
}

export const trimRoot = (root: string): string => root.replace(/^(?:\.?\/)+|\/+$/g, '')

function platformOf(name: string | undefined): Platform {
  if (!name) return 'H5'
  const found = platforms.find((platform) => platform === name)
  if (!found) throw new Error(`SOUK_PLATFORM is ${name}; it is one of ${platforms.join(', ')}.`)
  return found
}

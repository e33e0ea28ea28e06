import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, posix } from 'node:path'
import { type Platform, projectPath, sourceFor } from '@souk/pages'
import { pathInProject } from '@souk/project'
import { normalizePath } from 'vite'
import { Components } from '../../components.ts'
import type { MiniApp } from '../../miniApp.ts'
import { camelize } from '../../names.ts'
import { utsEntries } from '../plugins/utsModules.ts'
import { type Facts, factsOf } from './facts.ts'

/** Limits of a migration report, checked before a file is read. */
export const limits = { fileBytes: 2_000_000, totalBytes: 200_000_000, files: 20_000 } as const

/** A file of the project that a build reads. */
export interface Source {
  /** Path relative to the folder of pages.json, with forward slashes. */
  readonly path: string
  readonly text: string
  /** The facts of each platform that reads the file. Platforms that see the same text share them. */
  readonly facts: Map<Platform, Facts>
}

interface Unresolved {
  readonly path: string
  readonly name: string
  readonly offset: number
  readonly platform: Platform
  /** root: a path from the project's root that is written like a package. component: a package with this component. */
  readonly kind: 'file' | 'package' | 'root' | 'uts' | 'component'
}

const extensions = ['', '.mjs', '.js', '.mts', '.ts', '.jsx', '.tsx', '.json', '.vue', '.nvue', '.uvue', '.d.ts']
const isSource = (path: string) => /\.(?:[nu]?vue|[cm]?[jt]sx?)$/.test(path) && !path.endsWith('.d.ts')

/** The project cannot be read within `limits`. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

/** Reads the files that builds of the mini apps reach: from pages, App.vue and main.js along imports and easycom. */
export class SourceReader {
  readonly files: Map<string, Source> = new Map()
  /** Files that were not read, with the reason. */
  readonly skipped: Map<string, string> = new Map()
  /** Imports of packages, and of files that do not exist. */
  readonly unresolved: Unresolved[] = []
  readonly #aliases: ReadonlyMap<string, string | undefined>
  readonly #isPackage: (name: string) => boolean
  #bytes = 0

  /**
   * @param aliases folders or files by prefix, from the project's Vite configuration; undefined if not known
   * @param isPackage tells whether a package is available, so that a folder of this name is not meant
   */
  constructor(aliases: ReadonlyMap<string, string | undefined>, isPackage: (name: string) => boolean) {
    this.#aliases = aliases
    this.#isPackage = isPackage
  }

  /** Reads what a build for the platform of `app` reaches. @throws TooLarge */
  read(app: MiniApp): void {
    const components = new Components(app)
    const reached = new Set<string>()
    const open = entriesOf(app)
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (reached.has(path)) continue
      reached.add(path)
      const source = this.#source(app, path)
      if (source === undefined) continue
      const facts = this.#facts(source, app)
      for (const { name, offset } of facts.imports) {
        const found = this.#resolve(app, path, name)
        if (typeof found === 'object') this.unresolved.push({ path, offset, platform: app.platform, ...found })
        const inside = typeof found === 'object' && found.kind === 'root' ? found.name : found
        if (typeof inside === 'string' && isSource(inside)) open.push(inside)
      }
      for (const { name, offset } of facts.tags) {
        const component = components.find(name, normalizePath(join(app.root, path)))
        // Components that the file registers itself take precedence.
        const isOwn = [camelize(name), camelize(`-${name}`)].some((each) => facts.declared.has(each))
        if (component === undefined || isOwn) continue
        const inside = isAbsolute(component) ? pathInProject(app.root, component) : undefined
        if (inside && app.files.exists(inside)) open.push(inside)
        else
          this.unresolved.push({
            path,
            offset,
            platform: app.platform,
            ...(inside ? { name: inside, kind: 'file' } : { ...packageOf(component)!, kind: 'component' }),
          })
      }
    }
  }

  #source(app: MiniApp, path: string): Source | undefined {
    const cached = this.files.get(path)
    if (cached || this.skipped.has(path)) return cached
    const file = join(app.root, path)
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
    if (size > limits.fileBytes) {
      this.skipped.set(path, `it is larger than ${limits.fileBytes / 1_000_000} MB`)
      return undefined
    }
    this.#bytes += size
    if (this.files.size >= limits.files || this.#bytes > limits.totalBytes) {
      const most = `${limits.files} files and ${limits.totalBytes / 1_000_000} MB`
      throw new TooLarge(`The project is too large: at most ${most} of sources can be read.`)
    }
    try {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file))
      const source = { path, text, facts: new Map() }
      this.files.set(path, source)
      return source
    } catch (error) {
      this.skipped.set(path, error instanceof TypeError ? 'it is not UTF-8' : String(error))
      return undefined
    }
  }

  readonly #byText = new Map<string, Map<string, Facts>>()

  #facts(source: Source, { platform, os }: MiniApp): Facts {
    const { text } = sourceFor(source.text, platform, os)
    const variants = this.#byText.get(source.path) ?? new Map<string, Facts>()
    this.#byText.set(source.path, variants)
    const facts = variants.get(text) ?? factsOf(source.path, text)
    variants.set(text, facts)
    source.facts.set(platform, facts)
    return facts
  }

  /** Returns a path in the project, what cannot be resolved, or undefined for what needs no report. */
  #resolve(app: MiniApp, from: string, name: string): string | { name: string; kind: Unresolved['kind'] } | undefined {
    const written = name.replace(/\?.*$/s, '')
    const isRelative = /^\.\.?(?:\/|$)/.test(written)
    if (isRelative || /^~?@\/|^\//.test(written)) {
      const path = isRelative ? posix.join(posix.dirname(from), written) : projectPath(written)
      const found = this.#locate(app, path)
      if (found !== undefined) return found
      if (utsEntries.some((entry) => app.files.exists(`${path}/${entry}`))) return undefined
      if (app.files.entries(`${path}/utssdk`).length > 0) return { name: path, kind: 'uts' }
      return isSource(written) || !posix.extname(written) ? { name: written, kind: 'file' } : undefined
    }
    for (const [prefix, target] of this.#aliases) {
      if (written !== prefix && !written.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)) continue
      if (target === undefined) return undefined
      return this.#locate(app, pathInProject(app.root, join(target, written.slice(prefix.length))))
    }
    const resolved = packageOf(written)
    if (resolved === undefined || this.#isPackage(resolved.name)) return resolved
    const found = this.#locate(app, written)
    return found === undefined ? resolved : { name: found, kind: 'root' }
  }

  #locate({ files }: MiniApp, path: string): string | undefined {
    const candidates = [
      ...extensions.map((each) => path + each),
      ...extensions.slice(1).map((each) => `${path}/index${each}`),
      // TypeScript's imports may name the script that is compiled.
      path.replace(/(?<=\.[cm]?)js$/, 'ts'),
    ]
    return candidates.find((each) => files.exists(each))
  }
}

/** Returns the package of an import. Virtual modules have a scheme, or a name like that of a file. */
function packageOf(name: string): { name: string; kind: 'package' } | undefined {
  const found = /^(?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*/i.exec(name)?.[0]
  return found === undefined || /[:]|^[^/]*\.css$/.test(name) ? undefined : { name: found, kind: 'package' }
}

/** Returns the files that a build starts from. */
function entriesOf(app: MiniApp): string[] {
  const { resolved, root, rootFile, configuration } = app
  const pages = resolved.pages.flatMap((page) => [
    app.pageFile(page.path),
    ...app.subWindows(page).map(({ file }) => file),
  ])
  const windows = Object.values(configuration.app.windows).map((window) => window && app.pageFile(window.path))
  const main = ['main.ts', 'main.js', 'main.mts', 'main.mjs'].find((name) => app.files.exists(name))
  const found = [...pages, ...windows, rootFile, app.customTabBar, main && join(root, main)]
  return found.flatMap((file) => (file ? [pathInProject(root, file)] : []))
}

/** Returns whether a package is installed for a folder, in it or above. */
export function isInstalled(folder: string, name: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'node_modules', name))) return true
    if (at === dirname(at)) return false
  }
}

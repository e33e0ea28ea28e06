import { dirname, join, posix } from 'node:path'
import { type Json, projectPath, type ResolvedPage, schemeOf } from '@souk/pages'
import { normalizePath } from 'vite'
import type { MiniApp } from './miniApp.ts'

/** Finds the component that a tag means without an import: by usingComponents (§2.3), then by easycom (§2.14). */
export class Components {
  readonly #app: MiniApp
  #revision = -1
  #rules: readonly { pattern: RegExp; target: string }[] = []
  #scanned: ReadonlyMap<string, string> = new Map()
  #global: ReadonlyMap<string, string> = new Map()
  #ofPages: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map()

  constructor(app: MiniApp) {
    this.#app = app
  }

  /** What to import for a tag of a file, given by their absolute paths: a path, or the file of a package. */
  find(tag: string, file: string): string | undefined {
    this.#refresh()
    const name = hyphenate(tag)
    const found = this.#ofPages.get(file)?.get(name) ?? this.#global.get(name) ?? this.#byRule(name)
    return found ?? this.#scanned.get(name)
  }

  #byRule(name: string): string | undefined {
    for (const { pattern, target } of this.#rules) {
      const match = pattern.exec(name)
      if (match === null) continue
      const path = target.replace(/\$(\d{1,2})/g, (_, group: string) => match[Number(group)] ?? '')
      // Only .vue components are imported by themselves.
      if (/\.u?vue$/.test(path)) return this.#locate(path)
    }
    return undefined
  }

  /** `@/` and `/` mean the project, anything else a package, unless the project has such a file. */
  #locate(path: string, from = ''): string {
    const { root, files } = this.#app
    if (path.startsWith('./') || path.startsWith('../')) return normalizePath(join(root, from, path))
    const inProject = projectPath(path)
    if (inProject !== path || files.exists(inProject)) return normalizePath(join(root, inProject))
    return path
  }

  #refresh(): void {
    const { revision, resolved, files, root } = this.#app
    if (revision === this.#revision) return
    this.#revision = revision
    this.#rules = Object.entries(resolved.easycom.custom).flatMap(([source, target]) => {
      try {
        return [{ pattern: new RegExp(source), target }]
      } catch {
        // The check of pages.json says so.
        return []
      }
    })
    const folders = ['components', ...files.list('uni_modules').map((name) => `uni_modules/${name}/components`)]
    const scanned = new Map<string, string>()
    for (const folder of resolved.easycom.autoscan ? folders : []) {
      for (const name of files.list(folder)) {
        const file = `${folder}/${name}/${name}.vue`
        if (!scanned.has(hyphenate(name)) && files.exists(file))
          scanned.set(hyphenate(name), normalizePath(join(root, file)))
      }
    }
    this.#scanned = scanned
    this.#global = this.#registered(resolved.globalStyle.usingComponents, '')
    this.#ofPages = new Map(
      resolved.pages.flatMap((page: ResolvedPage) => {
        const file = page.style.usingComponents === undefined ? undefined : this.#app.pageFile(page.path)
        return file ? [[normalizePath(file), this.#registered(page.style.usingComponents, dirname(page.path))]] : []
      }),
    )
  }

  #registered(usingComponents: Json | undefined, from: string): ReadonlyMap<string, string> {
    const registered = new Map<string, string>()
    if (typeof usingComponents !== 'object' || usingComponents === null) return registered
    for (const [tag, path] of Object.entries(usingComponents)) {
      if (typeof path !== 'string' || schemeOf(path) !== undefined) continue
      registered.set(hyphenate(tag), this.#locate(posix.extname(path) ? path : `${path}.vue`, from))
    }
    return registered
  }
}

/** `uniBadge` and `UniBadge` are the same tag as `uni-badge`. */
const hyphenate = (name: string): string => name.replace(/\B([A-Z])/g, '-$1').toLowerCase()

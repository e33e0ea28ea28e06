import { dirname, join, posix } from 'node:path'
import { type Json, projectPath, type ResolvedPage, schemeOf } from '@souk/pages'
import { normalizePath } from 'vite'
import type { MiniApp } from './miniApp.ts'
import { hyphenate } from './names.ts'
import { tagsByName } from './template/tags.ts'

interface Rule {
  pattern: RegExp
  target: string
}

/** What the path of a component may leave out (`checkUsingComponents` of @souk/pages). */
const componentEndings = ['', '.vue', '.nvue', '.uvue', '/index.vue']

/** Returns the import source of a tag that components of the project can replace. */
function tagSource(name: string): string | undefined {
  const tag = tagsByName.get(name)
  return tag?.isReplaceable ? `@souk/tags/${tag.component}.vue` : undefined
}

/** Resolves tags without an import: usingComponents (pages-json §2.3) first, then easycom (pages-json §2.14). */
export class Components {
  readonly #app: MiniApp
  #revision = -1
  #rules: readonly Rule[] = []
  #scanned: ReadonlyMap<string, string> = new Map()
  #global: ReadonlyMap<string, string> = new Map()
  #ofPages: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map()

  constructor(app: MiniApp) {
    this.#app = app
  }

  /** Returns the import source for a tag in a file (absolute path): an absolute path or a path in a package. */
  find(tag: string, file: string): string | undefined {
    this.#refresh()
    const name = hyphenate(tag)
    const registered = this.#ofPages.get(file)?.get(name) ?? this.#global.get(name)
    return registered ?? this.#byEasycom(tag, name) ?? tagSource(name)
  }

  /** Resolves a name like uni-app: components in the folders precede the rules, except a rule for exactly the name. */
  #byEasycom(tag: string, name: string): string | undefined {
    const exact = this.#rules.filter(({ pattern }) => [tag, name].some((each) => pattern.source === `^${each}$`))
    return this.#byRule(tag, name, exact) ?? this.#scanned.get(name) ?? this.#byRule(tag, name, this.#rules)
  }

  /** Rules match tags as they are written, such as `XtxSwiper`, or with hyphens. */
  #byRule(tag: string, name: string, rules: readonly Rule[]): string | undefined {
    for (const { pattern, target } of rules) {
      const match = pattern.exec(tag) ?? pattern.exec(name)
      if (match === null) continue
      const path = target.replace(/\$(\d{1,2})/g, (_, group: string) => match[Number(group)] ?? '')
      // Only .vue components are imported automatically.
      if (/\.u?vue$/.test(path)) {
        const located = this.#locate(path)
        // A rule for all tags of a library also matches tags that the library does not have.
        if (this.#isAbsent(located)) continue
        return located
      }
      const file = projectPath(`${path}.vue`)
      if (posix.extname(path) === '' && this.#app.files.exists(file)) return this.#locate(file)
    }
    return undefined
  }

  /** Resolves `@/`, `/` and existing files to the project root, anything else to a package. */
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
        // ReDoS: developers write it for the tags of their own mini app, and build that on their own machine.
        return [{ pattern: new RegExp(source), target }]
      } catch {
        // Reported by the pages.json checks.
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

  /**
   * Checks for a component that the project does not have as a Vue file. Most are those of a mini app platform, which
   * uni-app leaves out of H5 and App, too. Others are missing, which the checks of pages.json report.
   */
  #isAbsent(path: string): boolean {
    const { root, files } = this.#app
    if (this.#isInProject(path)) return !files.exists(path.slice(normalizePath(root).length + 1))
    // Otherwise the path of a package.
    return files.exists(path.replace(/\.vue$/, '.json'))
  }

  #isInProject(path: string): boolean {
    return path.startsWith(`${normalizePath(this.#app.root)}/`)
  }

  #registered(usingComponents: Json | undefined, from: string): ReadonlyMap<string, string> {
    const registered = new Map<string, string>()
    if (typeof usingComponents !== 'object' || usingComponents === null) return registered
    for (const [tag, path] of Object.entries(usingComponents)) {
      if (typeof path !== 'string' || schemeOf(path) !== undefined) continue
      const located = componentEndings.map((ending) => this.#locate(path + ending, from))
      const written = posix.extname(path) === '' ? located[1]! : located[0]!
      const file = located.find((each) => this.#isInProject(each) && !this.#isAbsent(each)) ?? written
      if (!this.#isAbsent(file)) registered.set(hyphenate(tag), file)
    }
    return registered
  }
}

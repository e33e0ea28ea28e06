import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { platforms as allPlatforms, check, codes, fixText, type Platform } from '@souk/pages'
import { choosePlatform, generatorAdvice, type PlatformChoice, pagesGenerator, pathInProject } from '@souk/project'
import { MiniApp } from '../../miniApp.ts'
import { namespaces } from '../../namespaces.ts'
import { runtimeModule } from '../packageNames.ts'
import { adviceFor, encryptedModule } from '../plugins/encoding.ts'
import { broughtPackages } from '../versions.ts'
import { type Change, packageChange, sourceChange } from './changes.ts'
import { checkConditions, checkDropped, checkSource, compilerOf, isBundled, isOutside } from './checkSource.ts'
import { bundledPackages } from './ecosystem.ts'
import { type Finding, Findings } from './findings.ts'
import { checkManifest, checkPackages, declares, readSettings } from './project.ts'
import { isInstalled, SourceReader } from './sources.ts'
import { functionSupport } from './support.ts'
import { type Support, tagSupport } from './tagSupport.ts'

export type { Change } from './changes.ts'
export type { Finding, Place, Section } from './findings.ts'
export { TooLarge } from './sources.ts'
export { UnsafeWrite, writeChanges } from './write.ts'

export interface MigrateOptions {
  /** Path of the project's folder. */
  readonly project: string
  /** Default: all. Guarded blocks that a build leaves out are then reported for the platform of the project only. */
  readonly platforms?: readonly Platform[]
}

/** Functions and tags that a project uses, with their counts. */
export type Counts = Readonly<Record<string, number>>

export interface Migration {
  /** Absolute path of the folder with package.json. */
  readonly folder: string
  /** Path of pages.json relative to `folder`. */
  readonly pagesFile: string
  readonly vue: 2 | 3
  readonly platforms: readonly Platform[]
  /** The platform that the project is built for. */
  readonly target: PlatformChoice
  readonly works: {
    readonly pages: number
    /** Files that a build reads. */
    readonly files: number
    readonly tags: Counts
    readonly functions: Counts
  }
  readonly findings: readonly Finding[]
  /** The safe changes; nothing is written yet. */
  readonly changes: readonly Change[]
}

/**
 * Reads a uni-app project and reports what works, what is missing and what to change. Runs no code of the project.
 *
 * @throws ProjectError if the project has no pages.json
 * @throws TooLarge if the sources exceed the limits
 */
export async function migrate({ project, platforms = allPlatforms }: MigrateOptions): Promise<Migration> {
  const [only, ...others] = platforms
  const apps = platforms.map((platform) => new MiniApp({ platform }))
  for (const app of apps) await app.open(project)
  const [app] = apps as [MiniApp, ...MiniApp[]]
  const settings = readSettings(app.folder, app.root)
  const aliases = new Map(settings.viteConfig?.aliases)
  // Without `/`, `@` would also be the start of a package's name.
  aliases.delete('@')
  const isAvailable = (name: string) =>
    declares(settings, name) || isInstalled(app.folder, name) || (ownPackages.has(name) && !isBundled(name))
  const reader = new SourceReader(aliases, (name) => isBundled(name) || isAvailable(name))
  for (const each of apps) reader.read(each)
  const findings = new Findings(platforms)
  const isVue2 = (settings.vue ?? writtenFor(reader)) === 2
  const target = choosePlatform(app.folder, others.length > 0 ? undefined : only)
  checkSources(apps, reader, findings, { isVue2, target: target.platform })
  checkMacros(app, reader, findings)
  const packages = checkImports(app, isAvailable, reader, findings)
  const pagesChange = checkPagesJson(app, findings)
  checkManifest(settings, findings, nameIn(app, 'manifest.json'))
  const imported = new Set(reader.unresolved.flatMap(({ kind, name }) => (kind === 'package' ? [name] : [])))
  checkPackages(settings, app.folder, imported, findings)
  const own = [...reader.files.values()].filter(({ path }) => !isOutside(nameIn(app, path)))
  const sources = isVue2 ? own.map((it) => sourceChange(join(app.root, it.path), it)) : []
  const changes = [pagesChange, packageChange(settings.packages, packages), ...sources]
  return {
    folder: app.folder,
    pagesFile: nameIn(app, pathInProject(app.root, app.file)),
    vue: isVue2 ? 2 : 3,
    platforms,
    target,
    works: { pages: app.resolved.pages.length, files: reader.files.size, ...countsOf(reader) },
    findings: sorted(findings.all()),
    changes: changes.filter((each) => each !== undefined),
  }
}

/** Packages that the build bundles, such as compilers of styles. */
const ownPackages: ReadonlySet<string> = new Set(
  Object.keys(
    (createRequire(import.meta.url)('../../../package.json') as { dependencies: Record<string, string> }).dependencies,
  ),
)

const sections = ['missing', 'change', 'differs']

function sorted(findings: readonly Finding[]): Finding[] {
  return findings.toSorted(
    (a, b) => sections.indexOf(a.section) - sections.indexOf(b.section) || b.places.length - a.places.length,
  )
}

/** Converts a path relative to pages.json's folder to one relative to the project's folder. */
const nameIn = (app: MiniApp, path: string): string => pathInProject(app.folder, join(app.root, path))

/** Returns the Vue version. Without a setting, main.js decides: only Vue 2 has a default export. */
function writtenFor({ files }: SourceReader): 2 | 3 {
  const main = ['main.js', 'main.ts'].flatMap((name) => [...(files.get(name)?.facts.values() ?? [])])
  return main.some(({ imports }) => imports.some((it) => it.name === 'vue' && it.names.includes('default'))) ? 2 : 3
}

function checkSources(
  apps: readonly MiniApp[],
  reader: SourceReader,
  findings: Findings,
  { isVue2, target }: { isVue2: boolean; target: Platform },
): void {
  const [app] = apps as [MiniApp]
  const all = [...reader.files.values()]
  const assigned = new Set(all.flatMap(({ facts }) => [...facts.values()].flatMap((each) => [...each.assigned])))
  const hooked = new Set(
    apps.flatMap((each) => [each.rootFile, ...each.resolved.pages.map(({ path }) => each.pageFile(path))]),
  )
  const nameOf = (path: string) => nameIn(app, path)
  const isPage = (path: string) => hooked.has(join(app.root, path))
  const context = { findings, nameOf, assigned, isVue2, isPage }
  for (const source of all) {
    for (const [platform, facts] of source.facts) checkSource(source, platform, facts, context)
    checkConditions(source, context)
    checkDropped(source, target, context)
    if (/\.(?:nvue|uvue)$/.test(source.path)) {
      const message = 'compiled like .vue, for the browser'
      findings.add({
        section: 'differs',
        subject: extname(source.path),
        message,
        file: nameOf(source.path),
      })
    }
  }
  const { file, text } = app
  checkDropped({ path: pathInProject(app.root, file), text }, target, context)
  for (const [path, reason] of reader.skipped) {
    const encrypted = encryptedModule(join(app.root, path))
    findings.add(
      encrypted === undefined
        ? { section: 'differs', subject: 'not read', message: reason, file: nameOf(path) }
        : { section: 'change', subject: encrypted, message: `encrypted: ${adviceFor(encrypted)}`, file: nameOf(path) },
    )
  }
}

/** Reports `definePage()` in pages whose plug-in does not run in a build, which would fail. */
function checkMacros(app: MiniApp, { files }: SourceReader, findings: Findings): void {
  const generator = pagesGenerator(app.folder)
  if (generator.isInstalled && generator.isConfigured) return
  for (const { path, text, facts } of files.values()) {
    const offset = text.search(/\bdefinePage\s*\(/)
    if (offset < 0 || [...facts.values()].some(({ declared }) => declared.has('definePage'))) continue
    const message = `needs ${generator.plugin}. ${generatorAdvice(generator)}`
    findings.add({ section: 'change', subject: 'definePage', message, file: nameIn(app, path), offset }, text)
  }
}

/** Reports imports that cannot be resolved. Returns the packages to add to package.json, with their versions. */
function checkImports(
  app: MiniApp,
  isAvailable: (name: string) => boolean,
  reader: SourceReader,
  findings: Findings,
): Map<string, string> {
  const packages = new Map<string, string>()
  const add = (name: string) => {
    if (isBundled(name)) packages.set(name, bundledPackages[name]!)
    return isBundled(name)
  }
  for (const { path, name, offset, platform, kind } of reader.unresolved) {
    const place = { file: nameIn(app, path), offset, platforms: [platform] }
    const { text } = reader.files.get(path)!
    if (kind === 'uts') {
      findings.add(
        { section: 'missing', subject: name, message: 'native code only: what it exports is undefined', ...place },
        text,
      )
    } else if (kind === 'root') {
      const message = `not a package: write @/${name}`
      findings.add({ section: 'change', subject: name, message, ...place }, text)
    } else if (kind === 'file') {
      findings.add({ section: 'change', subject: name, message: 'this file does not exist', ...place }, text)
    } else if (!name.startsWith('@souk/') && !runtimeModule(name) && !isAvailable(name)) {
      const isBrought = (broughtPackages as readonly string[]).includes(name)
      const message = `not in package.json${isBrought ? ", the build uses Souk's" : ''}: add it with npm install ${name}`
      const section = isBrought ? 'differs' : 'change'
      findings.add({ section, subject: name, message, isAutomatic: add(name), ...place }, text)
    } else if (kind === 'component' && !name.startsWith('@souk/')) {
      const message = 'components of packages are not read: what they use is not in this report'
      findings.add({ section: 'differs', subject: name, message, ...place }, text)
    }
  }
  for (const { path, text, facts } of reader.files.values()) {
    for (const [platform, { languages }] of facts) {
      for (const { name, offset } of languages) {
        const compiler = compilerOf(name)
        if (compiler === undefined || isAvailable(compiler) || ownPackages.has(compiler)) continue
        const message = `lang="${name}" needs it: add it with npm install ${compiler}`
        const report = { subject: compiler, message, file: nameIn(app, path), offset, platforms: [platform] }
        findings.add({ section: 'change', isAutomatic: add(compiler), ...report }, text)
      }
    }
  }
  return packages
}

/**
 * Reports what the checker finds in pages.json: each error, and warnings by their code. Errors with which the mini app
 * is built are differences.
 */
function checkPagesJson({ config, files, file, text, root, folder }: MiniApp, findings: Findings): Change | undefined {
  const name = pathInProject(folder, file)
  const options = { files }
  const fixed = fixText(text, options)
  const isLeft = new Set(fixed.remaining.map(({ code, message }) => `${code} ${message}`))
  for (const { code, severity, blocks, message, offset, platforms } of check(config, options)) {
    const isAutomatic = !isLeft.has(`${code} ${message}`)
    const report = { subject: 'pages.json', file: name, offset, platforms, isAutomatic }
    if (severity === 'error') findings.add({ section: blocks ? 'change' : 'differs', message, ...report }, text)
    else if (severity === 'warning') findings.add({ section: 'differs', ...report, message: codes[code][1] }, text)
  }
  if (fixed.text === text || !existsSync(join(root, pathInProject(root, file)))) return undefined
  return { file, before: text, after: fixed.text, titles: [`Apply ${fixed.fixed} fixes of souk pages check`] }
}

/** Counts tags and functions that work. */
function countsOf({ files }: SourceReader): { tags: Counts; functions: Counts } {
  const tags = new Map<string, number>()
  const functions = new Map<string, number>()
  const count = (map: Map<string, number>, name: string) => map.set(name, (map.get(name) ?? 0) + 1)
  for (const { facts } of files.values()) {
    // Places that several builds share count once.
    const seen = new Set<string>()
    const isNew = (name: string, offset: number) => !seen.has(`${name} ${offset}`) && seen.add(`${name} ${offset}`)
    for (const each of new Set(facts.values())) {
      for (const { name, offset } of each.tags) {
        if (isNew(name, offset) && works(tagSupport(name, '', false))) count(tags, name)
      }
      for (const { object, name, offset } of each.members) {
        if (namespaces.includes(object) && isNew(name, offset) && works(functionSupport(name))) count(functions, name)
      }
    }
  }
  return { tags: sortedCounts(tags), functions: sortedCounts(functions) }
}

/** Returns whether it works on at least one platform. Missing platforms are findings. */
const works = (support: Support | undefined): boolean =>
  support !== undefined && support.missing.length < allPlatforms.length

const sortedCounts = (counts: ReadonlyMap<string, number>): Counts =>
  Object.fromEntries([...counts].sort(([, a], [, b]) => b - a))

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replacedPackages } from '../packageNames.ts'
import { broughtPackages, chooseVersion, otherTool, toolPackages, vueError } from '../versions.ts'
import type { Findings, Report, Section } from './findings.ts'
import { type JsonFile, readJson, readViteConfig, type ViteConfig } from './settings.ts'
import { isInstalled } from './sources.ts'

/** The files of a project that are not sources. */
export interface ProjectSettings {
  readonly packages: JsonFile
  readonly manifest: JsonFile
  readonly viteConfig: ViteConfig | undefined
  /** Version of Vue that the project is written for; undefined if its settings do not tell. */
  readonly vue: 2 | 3 | undefined
}

/**
 * @param folder folder of package.json
 * @param root folder of pages.json
 */
export function readSettings(folder: string, root: string): ProjectSettings {
  const packages = readJson(join(folder, 'package.json'))
  const manifest = readJson(join(root, 'manifest.json'))
  return { packages, manifest, viteConfig: readViteConfig(folder), vue: vueOf(packages, manifest) }
}

function vueOf(packages: JsonFile, manifest: JsonFile): 2 | 3 | undefined {
  const installed = packages.at('dependencies', 'vue') ?? packages.at('devDependencies', 'vue')
  const range = installed?.kind === 'string' ? /\d/.exec(installed.value)?.[0] : undefined
  if (range === '2' || range === '3') return Number(range) as 2 | 3
  const declared = manifest.at('vueVersion')
  const version = declared?.kind === 'string' || declared?.kind === 'number' ? String(declared.value) : undefined
  return version === '2' || version === '3' ? (Number(version) as 2 | 3) : undefined
}

/** Returns whether package.json names a package. */
export function declares({ packages }: ProjectSettings, name: string): boolean {
  return groups.some((group) => packages.at(group, name) !== undefined)
}

const groups = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

/** Reports settings of manifest.json that have no effect, or another one. */
export function checkManifest({ manifest }: ProjectSettings, findings: Findings, name: string): void {
  const { text } = manifest
  if (text === undefined) return
  const add = (keys: readonly string[], report: Omit<Report, 'file' | 'offset' | 'subject'>) => {
    const offset = manifest.at(...keys)?.offset
    if (offset !== undefined) findings.add({ ...report, subject: keys.join('.'), file: name, offset }, text)
  }
  const transformPx = manifest.at('transformPx')
  if (transformPx?.kind === 'boolean' && transformPx.value) {
    const message = 'px are not converted, as in uni-app with Vue 3: write rpx'
    add(['transformPx'], { section: 'differs', message })
  }
  const mode = manifest.at('h5', 'router', 'mode')
  if (mode?.kind === 'string' && mode.value === 'history') {
    add(['h5', 'router', 'mode'], { section: 'differs', platforms: ['H5'], message: 'addresses use the hash' })
  }
  add(['h5', 'devServer', 'proxy'], {
    section: 'change',
    platforms: ['H5'],
    message: 'not read: move it to server.proxy of vite.config',
  })
  const template = manifest.at('h5', 'template')
  if (template?.kind === 'string' && template.value !== '' && !/^(?:\.\/)?index\.html$/.test(template.value)) {
    const message = 'not read: put what the head needs into index.html'
    add(['h5', 'template'], { section: 'change', platforms: ['H5'], message })
  }
  const modules = manifest.at('app-plus', 'modules')
  for (const { key } of modules?.kind === 'object' ? modules.properties : []) {
    const keys = ['app-plus', 'modules', key.value]
    add(keys, { section: 'differs', platforms: ['App'], message: 'native modules of the app are not used' })
  }
  const plugins = manifest.at('app-plus', 'nativePlugins')
  for (const { key } of plugins?.kind === 'object' ? plugins.properties : []) {
    const keys = ['app-plus', 'nativePlugins', key.value]
    add(keys, { section: 'missing', platforms: ['App'], message: 'native plug-ins are not available' })
  }
  const statistics = manifest.at('uniStatistics', 'enable')
  if (statistics?.kind === 'boolean' && statistics.value) {
    add(['uniStatistics', 'enable'], { section: 'missing', message: 'statistics of uni are not collected' })
  }
}

/** Libraries of Vue 2, with the package for Vue 3. */
const vue2Packages: Readonly<Record<string, string>> = { 'uview-ui': 'uview-plus' }

/**
 * Reports packages and tools that need another version, or are not used.
 *
 * @param imported names of packages that sources import
 */
export function checkPackages(
  settings: ProjectSettings,
  folder: string,
  imported: ReadonlySet<string>,
  findings: Findings,
): void {
  const { packages } = settings
  const add = (section: Section, subject: string, message: string) => {
    const offset = groups.map((group) => packages.at(group, subject)?.offset).find((each) => each !== undefined)
    findings.add({ section, subject, message, file: 'package.json', offset: offset ?? 0 }, packages.text)
  }
  const problem = vueError(folder)
  if (problem) add('change', 'vue', problem)
  for (const name of broughtPackages) {
    const { error, warning } = imported.has(name) ? chooseVersion(folder, name) : {}
    if (error) add('change', name, error)
    else if (warning) add('differs', name, warning)
  }
  for (const name of toolPackages) {
    const other = otherTool(folder, name)
    if (other) add('differs', name, `the build uses ${other.used}`)
  }
  for (const [name, instead] of Object.entries(vue2Packages))
    if (declares(settings, name)) add('change', name, `made for Vue 2: use ${instead}`)
  checkRegistries(settings, folder, findings)
  for (const name of ['vue.config.js', 'babel.config.js', 'webpack.config.js']) {
    if (!existsSync(join(folder, name))) continue
    findings.add({ section: 'differs', subject: name, message: 'not read: Souk builds with Vite', file: name })
  }
}

/** Reports registries that are asked for packages of a framework, because `npm install` fails without them. */
function checkRegistries(settings: ProjectSettings, folder: string, findings: Findings): void {
  const file = join(folder, '.npmrc')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  for (const { 1: scope, 2: address, index } of text.matchAll(/^(@[\w.-]+):registry[ \t]*=[ \t]*(\S+)/gm)) {
    const needed = [...replacedPackages].filter(
      (name) => name.startsWith(`${scope}/`) && declares(settings, name) && !isInstalled(folder, name),
    )
    if (needed.length === 0 || !URL.canParse(address!)) continue
    const names = needed.length > 2 ? `${needed[0]} and ${needed.length - 1} more packages` : needed.join(' and ')
    findings.add(
      {
        section: 'differs',
        // Without a user name and a password.
        subject: new URL(address!).host,
        message: `npm install needs this registry for ${names}, which Souk replaces: if it cannot be reached, remove them from package.json`,
        file: '.npmrc',
        offset: index,
      },
      text,
    )
  }
}

import { existsSync, readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Platform, sourceFor } from '@souk/pages'
import type { MiniApp } from '../miniApp.ts'
import { outFolders } from '../options.ts'
import { tryPackage } from '../packageJson.ts'
import { h5Packages, namesFramework } from './packageNames.ts'
import { vueError } from './versions.ts'

/** Thrown if a project only runs on Vue 2. */
export class VueVersionError extends Error {
  override readonly name = 'VueVersionError'
}

/** Names of the platforms in uni-app's variables. */
const uniPlatforms: Readonly<Record<Platform, string>> = { H5: 'h5', App: 'app', 'Mini App': 'mp-neu' }

/** Variables that uni-app's plug-ins, configuration files and pages read. */
export function ecosystemVariables(app: Pick<MiniApp, 'platform' | 'isDevelopment'>): Record<string, string> {
  const platform = uniPlatforms[app.platform]
  return { UNI_PLATFORM: platform, UNI_UTS_PLATFORM: platform === 'h5' ? 'web' : platform, VUE_APP_PLATFORM: platform }
}

/** Sets the variables for code that runs in the build. */
export function setEcosystemVariables(app: MiniApp): void {
  Object.assign(process.env, {
    ...ecosystemVariables(app),
    UNI_INPUT_DIR: app.root,
    UNI_OUTPUT_DIR: join(app.folder, 'dist', outFolders[app.platform]),
    UNI_CLI_CONTEXT: app.folder,
    UNI_COMPILER: 'vite',
    VITE_ROOT_DIR: app.folder,
  })
}

/** Returns whether the project's uni-app has variables for the colors of H5 pages, as versions 3.7 to 3.9 do. */
export function hasColorVariables({ isUniAppOnH5, folder }: Pick<MiniApp, 'isUniAppOnH5' | 'folder'>): boolean {
  if (!isUniAppOnH5) return false
  const files = h5Packages.map((name) => join(folder, 'node_modules', name, 'style/framework/base.css'))
  // ReDoS: a file of a package that the developer has installed.
  return files.some((file) => /^body,\s+uni-page-body\s*\{[^}]*color: var\(--UI-FG-0\)/m.test(textOf(file)))
}

/** Returns whether the project's version of uni-app puts the link of a navigator around it on H5: those before 4. */
export function putsLinksOutside({ platform, folder }: Pick<MiniApp, 'platform' | 'folder'>): boolean {
  if (platform !== 'H5') return false
  const { dependencies = {} } = tryPackage(join(folder, 'package.json'))
  return h5Packages.some((name) => {
    const version = tryPackage(join(folder, `node_modules/${name}/package.json`)).version ?? dependencies[name] ?? ''
    return /^[~^]?3\.0\.0-(?:alpha-)?3\d/.test(version)
  })
}

/** Checks for a PostCSS configuration of a framework's webpack build. */
export const hasWebpackStyles = ({ folder }: Pick<MiniApp, 'folder'>): boolean =>
  namesFramework(textOf(join(folder, 'postcss.config.js')))

/** Returns the text of a file, or none if it cannot be read. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** @throws VueVersionError if package.json lists another Vue, or main.js creates its app as in Vue 2 */
export function assertVue3({ folder, root, files, platform, os }: MiniApp): void {
  const error = vueError(folder)
  if (error) throw new VueVersionError(error)
  const name = ['main.ts', 'main.js'].find((each) => files.exists(each))
  if (name === undefined) return
  const { text } = sourceFor(readFileSync(join(root, name), 'utf8'), platform, os)
  // ReDoS: the developer's own file, and nothing repeats.
  const isVue2 = /^[^/*]*\bnew Vue\s*\(/m.test(text) || /\bimport Vue from\s*['"]vue['"]/.test(text)
  if (!isVue2) return
  throw new VueVersionError(
    `${join(root, name)} is written for Vue 2 (new Vue). Souk runs Vue 3. Create the app with createSSRApp, inside #ifdef VUE3 if both versions are needed.`,
  )
}

let areHooksRegistered = false

/**
 * Makes Node load what uni-app's projects have: settings in ES syntax although package.json says commonjs, and a Sass
 * that is too old for Vite (uni-app's templates pin 1.63 and 1.77), which is replaced by Souk's. Node before 22.15
 * has no such hooks; projects that `npm create @souk/miniapp` creates do not need them.
 */
export function registerModuleHooks(): void {
  if (areHooksRegistered) return
  areHooksRegistered = true
  nodeModule.registerHooks?.({
    resolve: (specifier, context, next) =>
      next(isOldSass(specifier) ? import.meta.resolve('sass') : specifier, context),
    load: (url, context, next) =>
      next(url, isModuleInCommonJs(url, context.format) ? { ...context, format: moduleFormat(url) } : context),
  })
}

const moduleFormat = (url: string) => (pathOf(url).endsWith('.ts') ? 'module-typescript' : 'module')

/** Returns a URL without its query, such as the one that tsx adds to each import of unconfig. */
const pathOf = (url: string) => url.replace(/[?#].*/s, '')

/** Checks for a file of the project, such as uno.config.ts, with `import` or `export` in a CommonJS package. */
function isModuleInCommonJs(url: string, format: string | null | undefined): boolean {
  if (!format?.startsWith('commonjs') || !/\.[jt]s$/.test(pathOf(url))) return false
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return false
  return /^(?:import|export)\b(?!\s*[(=.])/m.test(readFileSync(fileURLToPath(url), 'utf8'))
}

/** Checks for the entry file, imported by its URL, of a Sass that does not know all deprecations that are silenced. */
function isOldSass(specifier: string): boolean {
  const [, folder] = /^(file:.*\/node_modules\/sass\/)[\w.]+$/.exec(specifier) ?? []
  if (folder === undefined) return false
  const file = fileURLToPath(`${folder}package.json`)
  // Vite imports the Sass of the first project of the process, which may have been removed.
  if (!existsSync(file)) return true
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major === 1 && minor < 80
}

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { sourceFor } from '@souk/pages'
import type { ProjectFiles } from '@souk/project'
import { parseSync } from 'vite'
import { componentOptions } from '../componentOptions.ts'
import type { MiniApp } from '../miniApp.ts'
import { findPackage } from '../packageJson.ts'
import { viewScripts } from '../scriptModules.ts'
import { runtimeModule } from './packageNames.ts'

/**
 * Checks if a release needs Vue's Options API (10% of Vue): if a component uses options other than page hooks, or if
 * the project depends on a package for Vue. Returns true if unsure.
 */
export function needsOptionsApi(app: MiniApp): boolean {
  const hasOptions = (file: string) =>
    fileHasOptions(file, sourceFor(readFileSync(join(app.root, file), 'utf8'), app.platform, app.os).text)
  return hasVuePackages(app.folder) || sourcesOf(app.files, '').some(hasOptions)
}

/** Checks if a file defines, or may define, components with such options. */
export function fileHasOptions(file: string, text: string): boolean {
  if (!/\.[nu]?vue$/.test(file)) return /\b(?:defineComponent|mixins?|extends)\s*[(:]|\.component\(/.test(text)
  // They become mixins.
  if (viewScripts(text).length > 0) return true
  // ReDoS: the developer's own files.
  return [...text.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script\s*>/g)].some(([, attributes, script]) => {
    if (/\bsrc\s*=/.test(attributes!)) return true
    if (/\bsetup\b/.test(attributes!)) return /\bdefineOptions\s*\(/.test(script!)
    return /\bexport\b/.test(script!) && scriptHasOptions(script!)
  })
}

/** Options that work without the Options API. */
const supportedOptions = /^(?:setup|render|props|emits|name|components|directives|inheritAttrs|options|on[A-Z]\w*)$/

function scriptHasOptions(script: string): boolean {
  const { program, errors } = parseSync('script.ts', script)
  if (errors.length > 0) return true
  const exported = program.body.find((node) => node.type === 'ExportDefaultDeclaration')?.declaration
  if (exported === undefined) return false
  const options = componentOptions(exported)
  if (options === undefined) return true
  return options.properties.some(
    (property) =>
      property.type !== 'Property' ||
      property.key.type !== 'Identifier' ||
      property.computed ||
      !supportedOptions.test(property.key.name),
  )
}

/** Folders that never contain sources of the app. */
const ignoredFolders = /^(?:node_modules|dist|unpackage|\..*)$/

function sourcesOf(files: ProjectFiles, folder: string): string[] {
  return files.entries(folder || '.').flatMap(({ name, kind }) => {
    const path = folder ? `${folder}/${name}` : name
    if (kind === 'file') return /\.(?:[nu]?vue|[cm]?[jt]sx?)$/.test(name) ? [path] : []
    return ignoredFolders.test(name) ? [] : sourcesOf(files, path)
  })
}

/** Checks for dependencies on Vue packages: they may contain compiled components that use the Options API. */
function hasVuePackages(folder: string): boolean {
  const { dependencies = {} } = findPackage(join(folder, 'package.json'))
  const { resolve } = createRequire(join(folder, 'package.json'))
  return Object.keys(dependencies).some((name) => {
    if (name === 'vue' || name.startsWith('@souk/') || runtimeModule(name)) return false
    try {
      const found = findPackage(resolve(`${name}/package.json`))
      const { peerDependencies = {}, dependencies: own = {} } = found
      // Components of uni-app name no Vue, because the project has the one of their platform.
      return 'vue' in peerDependencies || 'vue' in own || found.dcloudext !== undefined
    } catch {
      // The package does not export its package.json.
      return true
    }
  })
}

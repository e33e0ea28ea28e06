import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The plug-in of the ecosystem that writes pages.json and understands `definePage()`. */
const defaultPlugin = '@uni-helper/vite-plugin-uni-pages'

/** Matches the names of plug-ins that write pages.json, in vite.config and package.json. */
const pluginName = /["'](@?[\w./-]*\buni-pages)["']/

/** What a project has of the tool that writes its pages.json. */
export interface PagesGenerator {
  /** Package of the plug-in. */
  readonly plugin: string
  /** Name of its settings, such as `pages.config.ts`, if the project has them. */
  readonly settings: string | undefined
  readonly isInstalled: boolean
  /** Whether vite.config names it. */
  readonly isConfigured: boolean
  /** Whether any file of the project names it. Otherwise it is the one that most projects use. */
  readonly isNamed: boolean
}

/** Returns the tool that writes pages.json of the project in `folder`, an absolute path. */
export function pagesGenerator(folder: string): PagesGenerator {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const settings = names.find((name) => /^pages\.config\.(?:[cm]?[jt]s|json)$/.test(name))
  const viteConfig = names.find((name) => /^vite\.config\.[cm]?[jt]s$/.test(name))
  const pluginIn = (name: string | undefined) =>
    name === undefined ? undefined : pluginName.exec(readFileSync(join(folder, name), 'utf8'))?.[1]
  const configured = pluginIn(viteConfig)
  const listed = pluginIn(names.find((name) => name === 'package.json'))
  const plugin = configured ?? listed ?? defaultPlugin
  return {
    plugin,
    settings,
    isInstalled: existsSync(join(folder, 'node_modules', plugin)),
    isConfigured: configured !== undefined,
    isNamed: (settings ?? configured ?? listed) !== undefined,
  }
}

/** Says what a generator needs before the project has a pages.json. */
export function generatorAdvice({ plugin, isInstalled, isConfigured }: PagesGenerator): string {
  const steps = [
    ...(isInstalled
      ? []
      : [isConfigured ? 'install the packages (npm install)' : `install it (npm install -D ${plugin})`]),
    ...(isConfigured ? [] : ['add it to the plugins of vite.config']),
    'write pages.json with a build (souk build)',
  ]
  return `${steps.join(', ').replace(/^./, (first) => first.toUpperCase())}, then try again.`
}

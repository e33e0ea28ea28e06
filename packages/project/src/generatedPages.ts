import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

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
  /** Whether vite.config names it, or a file that it imports by a relative path. */
  readonly isConfigured: boolean
  /** Whether any file of the project names it. Otherwise it is the one that most projects use. */
  readonly isNamed: boolean
}

/** Returns the tool that writes pages.json of the project in `folder`, an absolute path. */
export function pagesGenerator(folder: string): PagesGenerator {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const settings = names.find((name) => /^pages\.config\.(?:[cm]?[jt]s|json)$/.test(name))
  const viteConfig = names.find((name) => /^vite\.config\.[cm]?[jt]s$/.test(name))
  const configured = viteConfig && pluginFrom(join(folder, viteConfig))
  const listed = names.includes('package.json')
    ? pluginIn(readFileSync(join(folder, 'package.json'), 'utf8'))
    : undefined
  const plugin = configured ?? listed ?? defaultPlugin
  return {
    plugin,
    settings,
    isInstalled: existsSync(join(folder, 'node_modules', plugin)),
    isConfigured: configured !== undefined,
    isNamed: (settings ?? configured ?? listed) !== undefined,
  }
}

const pluginIn = (text: string) => pluginName.exec(text)?.[1]

/** Returns the plug-in that a script names, or one of the scripts that it imports by a relative path. */
function pluginFrom(file: string, read: Set<string> = new Set()): string | undefined {
  if (read.has(file)) return undefined
  read.add(file)
  const text = readFileSync(file, 'utf8')
  const named = pluginIn(text)
  if (named) return named
  for (const [, source] of text.matchAll(/\b(?:from|import|require) ?\(? ?["'](\.{1,2}(?:\/[^"']*)?)["']/g)) {
    const imported = scriptAt(join(dirname(file), source!))
    const found = imported && pluginFrom(imported, read)
    if (found) return found
  }
  return undefined
}

/** Returns the script that an import of `path` loads. */
function scriptAt(path: string): string | undefined {
  const extensions = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs']
  const paths = [path, ...extensions.flatMap((each) => [`${path}.${each}`, join(path, `index.${each}`)])]
  return paths.find((each) => statSync(each, { throwIfNoEntry: false })?.isFile())
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

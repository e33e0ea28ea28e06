import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type ConfigEnv,
  createRunnableDevEnvironment,
  normalizePath,
  type Plugin,
  parseSync,
  resolveConfig,
  type UserConfig,
  type UserConfigExport,
} from 'vite'
import { ESModulesEvaluator, ssrExportAllKey } from 'vite/module-runner'
import { atLocation } from './location.ts'
import { fallbackTsconfig, runsFromSources } from './packages.ts'

/** Thrown if the project's vite.config cannot be loaded. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Names of vite.config in the order in which Vite looks for them. */
const names = ['js', 'mjs', 'ts', 'cjs', 'mts', 'cts'].map((extension) => `vite.config.${extension}`)

/** Returns the absolute path of the project's vite.config, if it has one. */
export const viteConfigOf = (folder: string): string | undefined =>
  names.map((name) => join(folder, name)).find((path) => existsSync(path))

/**
 * Loads the project's vite.config, if it has one. The plug-ins `replaced` of frameworks add none: Souk's replace them.
 * Projects of the ecosystem's IDE have neither this package nor Vite installed. Its plug-ins can use `import()` until
 * the build or the server ends.
 */
export async function loadProjectConfig(
  folder: string,
  { command, mode }: ConfigEnv,
  replaced: readonly string[],
): Promise<UserConfig | undefined> {
  const file = viteConfigOf(folder)
  if (file === undefined) return undefined
  const read = async ({ default: exported = {} }: { default?: UserConfigExport }): Promise<UserConfig> => {
    const config = await exported
    return typeof config === 'function' ? config({ command, mode }) : config
  }
  const configure = async (exported: { default?: UserConfigExport }, close: () => Promise<void>) => {
    const config = await read(exported)
    return { ...config, plugins: [config.plugins, { name: 'souk:project-config', closeBundle: close }] }
  }
  return runFile(normalizePath(file), folder, replaced, configure).catch((error: Error & { id?: string }) => {
    const problem = missingPackage(error) ?? syntaxError(error.id ?? '')
    throw problem ? new ConfigError(problem) : error
  })
}

/** Says which file imports a package that is not installed, if Node has failed because of it. */
export function missingPackage({ message }: Error): string | undefined {
  const [, name] = /^Cannot find (?:module|package) '((?:@[^/']+\/)?[^./'][^/']*)/.exec(message) ?? []
  const [, importer] = /(?: imported from |\nRequire stack:\n- )'?([^'\n]+)/.exec(message) ?? []
  if (name === undefined || importer === undefined) return undefined
  return `${importer} imports ${name}, which is not installed. Add it with: npm install ${name}`
}

/** Returns the first syntax error of a script, with its place. That of Vite is in the code which it has changed. */
function syntaxError(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, 'utf8')
  const [error] = parseSync(file, text).errors
  return error && atLocation(file, text, error.labels[0]?.start ?? 0, error.message)
}

/**
 * Runs a file and what it imports by a relative path; packages are imported by Node.
 *
 * @param use gets the file's exports, and a function after which their functions can no longer use `import()`
 */
async function runFile<T, R>(
  file: string,
  folder: string,
  replaced: readonly string[],
  use: (exported: T, close: () => Promise<void>) => Promise<R>,
): Promise<R> {
  const name = 'config'
  const config = await resolveConfig(
    {
      configFile: false,
      envDir: false,
      tsconfig: fallbackTsconfig,
      root: folder,
      logLevel: 'error',
      plugins: [forNode(replaced)],
      environments: {
        [name]: {
          consumer: 'server',
          dev: { moduleRunnerTransform: true },
          resolve: {
            external: true,
            mainFields: [],
            conditions: [...(runsFromSources ? ['souk-source'] : []), 'node'],
          },
        },
      },
    },
    'serve',
  )
  const evaluator = new Evaluator()
  const runnerOptions = { evaluator, hmr: { logger: false as const } }
  const environment = createRunnableDevEnvironment(name, config, { runnerOptions, hot: false })
  const fetchModule = environment.fetchModule.bind(environment)
  environment.fetchModule = async (name, importer, options) => {
    // Vite puts a prefix before the module of `required`.
    const fetched = await fetchModule(name.replace(/^\/@id\/(?=data:)/, ''), importer, options)
    if (importer && 'externalize' in fetched) evaluator.imports.set(fetched.externalize, { name, importer })
    return fetched
  }
  await environment.init()
  try {
    return await use(await environment.runner.import<T>(file), () => environment.close())
  } catch (error) {
    await environment.close()
    throw error
  }
}

type RunnerContext = Parameters<ESModulesEvaluator['runInlinedModule']>[0]
type Code = (...values: unknown[]) => Promise<void>
const AsyncFunction = (async () => {}).constructor as new (...parameters: string[]) => Code

/** Adds named exports to CommonJS modules, and unwraps the default export of compiled ones, as bundlers do. */
class Evaluator extends ESModulesEvaluator {
  /** The specifier and the importing file of each external module, by the URL of the module. */
  readonly imports = new Map<string, { name: string; importer: string }>()

  /** Runs a module of the project; not in strict mode, since uni-app loads vite.config as CommonJS. */
  override async runInlinedModule(context: RunnerContext, code: string): Promise<void> {
    await new AsyncFunction(...Object.keys(context), code)(...Object.values(context))
  }

  override async runExternalModule(path: string): Promise<unknown> {
    const imported = super.runExternalModule(path).catch((error) => this.#runCommonJs(path, error))
    const module = (await imported) as { default?: { __esModule?: boolean } }
    if (!('module.exports' in module)) return module
    const { default: exported } = module
    return { ...module, ...exported, ...(!exported?.__esModule && { default: exported }) }
  }

  /**
   * Runs the CommonJS file of a package whose ES module throws. uni-app loads vite.config with `require`, so the ES
   * modules of some plug-ins have never run. Throws the original error if this file is missing or throws too.
   */
  async #runCommonJs(path: string, error: unknown): Promise<unknown> {
    try {
      const { name, importer } = this.imports.get(path)!
      const required = pathToFileURL(createRequire(importer).resolve(name)).href
      if (required !== path) return await super.runExternalModule(required)
    } catch {}
    throw error
  }
}

const moduleOf = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`
/** The plug-in of a framework, which some modules import with another `default` around it. */
const uniFunction = 'Object.assign(() => [], { default: () => [] })'
const uniPlugin = moduleOf(`export default ${uniFunction}`)
const ownVite = moduleOf(`export * from ${JSON.stringify(import.meta.resolve('vite'))}`)

const exportCommonJs = `export default module.exports?.__esModule ? module.exports.default : module.exports
${ssrExportAllKey}(module.exports)\n`

function canRequire(name: string, file: string): boolean {
  try {
    return createRequire(file).resolve(name) !== ''
  } catch {
    return false
  }
}

/** Returns a module that exports what a file gets from `require`. */
const required = (name: string, file: string) =>
  moduleOf(`import { createRequire } from 'node:module'
const exported = createRequire(${JSON.stringify(file)})(${JSON.stringify(name)})
export { exported as default, exported as 'module.exports' }`)

/** Replaces plug-ins of frameworks, and defines the variables of CommonJS, which vite.config may use in any format. */
function forNode(replaced: readonly string[]): Plugin {
  // ReDoS: names only.
  const importedPlugin = new RegExp(`(["'])(?:${replaced.join('|')})\\1`, 'g')
  // ReDoS: names, and spaces in the developer's own file.
  const requiredPlugin = new RegExp(`\\brequire\\(\\s*${importedPlugin.source}\\s*\\)`, 'g')
  return {
    name: 'souk:for-node',
    enforce: 'pre',
    /** Resolves packages that only export files for `require`, with which uni-app loads vite.config. */
    async resolveId(name, importer, options) {
      if (!importer || !/^[\w@]/.test(name)) return undefined
      try {
        return await this.resolve(name, importer, { ...options, skipSelf: true })
      } catch (error) {
        if (!canRequire(name, importer)) throw error
        return { id: required(name, importer), external: true }
      }
    },
    transform: {
      filter: { id: /\.[cm]?[jt]s$/ },
      handler(code, id) {
        const text = code
          // `require` cannot load modules of data: URLs.
          .replace(requiredPlugin, uniFunction)
          .replace(/\brequire\(\s*(["'])vite\1\s*\)/g, '__vite')
          .replace(importedPlugin, JSON.stringify(uniPlugin))
          .replace(/(["'])vite\1/g, JSON.stringify(ownVite))
        const variables = {
          __filename: JSON.stringify(id),
          __dirname: JSON.stringify(dirname(id)),
          require: `(await import('node:module')).createRequire(${JSON.stringify(id)})`,
          __vite: `await import(${JSON.stringify(ownVite)})`,
        }
        const defined = Object.entries(variables)
          .filter(([name]) => text.includes(name) && !code.includes(`const ${name} `))
          .map(([name, value]) => `const ${name} = ${value};`)
          .join('')
        const isCommonJs = /\b(?:module\.)?exports\b/.test(code) && !/^export\b/m.test(code)
        return isCommonJs
          ? `${defined}const module = { exports: {} };let { exports } = module;${text}\n${exportCommonJs}`
          : `${defined}${text}`
      },
    },
  }
}

import { frameworks } from './frameworks.ts'

/** Packages with the hooks of pages, such as `@dcloudio/uni-app`. */
const appPackages: readonly string[] = frameworks.map(({ scope, name }) => `${scope}/${name}-app`)
/** Packages with the translations of components. */
const i18nPackages: readonly string[] = frameworks.map(({ scope, name }) => `${scope}/${name}-i18n`)
/** Packages with what a framework adds to H5 builds. */
export const h5Packages: readonly string[] = frameworks.map(({ scope, name }) => `${scope}/${name}-h5`)
/** Plug-ins for Vite that Souk's replace. */
export const pluginPackages: readonly string[] = frameworks.flatMap(({ scope, name, plugins = [] }) => [
  `${scope}/vite-plugin-${name}`,
  ...plugins,
])
/** Packages that projects list for their own builds, and that Souk's builds do without. */
export const replacedPackages: ReadonlySet<string> = new Set(
  frameworks.flatMap(({ scope, name }) => [
    ...['app', 'app-plus', 'cli-shared', 'components', 'h5', 'i18n'].map((part) => `${scope}/${name}-${part}`),
    `${scope}/types`,
    `${scope}/vite-plugin-${name}`,
  ]),
)
/** Packages that are parts of the runtime. */
export const runtimePackages: readonly string[] = [...appPackages, ...i18nPackages]

/** Returns the module of the runtime that an import of a package, or of a file in it, gets; undefined for others. */
export function runtimeModule(source: string): string | undefined {
  const isOf = (names: readonly string[]) => names.some((name) => `${source}/`.startsWith(`${name}/`))
  if (isOf(appPackages)) return '@souk/runtime/uniApp'
  return isOf(i18nPackages) ? '@souk/runtime/uniI18n' : undefined
}

/** Checks if a text names a package of a framework's scope. */
export const namesFramework = (text: string): boolean => frameworks.some(({ scope }) => text.includes(`${scope}/`))

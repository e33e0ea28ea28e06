import type { Compat } from '../compat.ts'
import type { MiniApp } from '../miniApp.ts'
import { runtimePackages } from './packageNames.ts'
import { capsule } from './plugins/capsule.ts'
import { deepSelectors } from './plugins/deepSelectors.ts'
import { documentQueries } from './plugins/documentQueries.ts'
import { encoding } from './plugins/encoding.ts'
import { globalStyle } from './plugins/globalStyle.ts'
import { globals } from './plugins/globals.ts'
import { globEager } from './plugins/globEager.ts'
import { json } from './plugins/json.ts'
import { optionsApi } from './plugins/optionsApi.ts'
import { ownNames } from './plugins/ownNames.ts'
import { bundled, frameworkPackages } from './plugins/packages.ts'
import { pageMacros } from './plugins/pageMacros.ts'
import { requires } from './plugins/requires.ts'
import { unresolved, unresolvedInDevelopment } from './plugins/unresolved.ts'
import { utsModules } from './plugins/utsModules.ts'
import { assertVue3, ecosystemVariables, hasColorVariables, hasWebpackStyles, putsLinksOutside } from './projects.ts'

export * from './migrate/index.ts'
export { pluginPackages } from './packageNames.ts'
export type { OptionsApi } from './plugins/optionsApi.ts'
export { registerModuleHooks, setEcosystemVariables, VueVersionError } from './projects.ts'

/**
 * What projects of the ecosystem need: their packages, the Options API, old syntax and names.
 */
export const uniCompat = (app: MiniApp): Compat => ({
  beforeVue: [
    frameworkPackages(),
    optionsApi(app),
    encoding(),
    json(),
    globEager(),
    utsModules(app),
    requires(app),
    deepSelectors(),
  ],
  afterVue: [
    pageMacros(app),
    globals(app),
    capsule(app),
    ownNames(),
    documentQueries(app),
    globalStyle(app),
    bundled(app),
    unresolved(app),
    unresolvedInDevelopment(app),
  ],
  runtimePackages,
  variables: () => ecosystemVariables(app),
  assertVue3: () => assertVue3(app),
  hasWebpackStyles: () => hasWebpackStyles(app),
  hasColorVariables: () => hasColorVariables(app),
  putsLinksOutside: () => putsLinksOutside(app),
})

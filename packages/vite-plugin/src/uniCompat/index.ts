import type { Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'
import { capsule } from './plugins/capsule.ts'
import { deepSelectors } from './plugins/deepSelectors.ts'
import { documentQueries } from './plugins/documentQueries.ts'
import { encoding } from './plugins/encoding.ts'
import { globalStyle } from './plugins/globalStyle.ts'
import { globals } from './plugins/globals.ts'
import { globEager } from './plugins/globEager.ts'
import { json } from './plugins/json.ts'
import { optionsApi } from './plugins/optionsApi.ts'
import { bundled, frameworkPackages } from './plugins/packages.ts'
import { pageMacros } from './plugins/pageMacros.ts'
import { requires } from './plugins/requires.ts'
import { unresolved } from './plugins/unresolved.ts'
import { utsModules } from './plugins/utsModules.ts'

/**
 * What only projects of the ecosystem need: their packages, the Options API, old syntax and names. A build of a project
 * that is written for Souk gives the same without it, except `styles` and the errors for packages that are missing.
 */
export const uniCompat = (app: MiniApp): { beforeVue: Plugin[]; afterVue: Plugin[] } => ({
  beforeVue: [
    frameworkPackages(),
    // Sees the file as it is written, before conditional comments are applied.
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
    documentQueries(app),
    globalStyle(app),
    bundled(app),
    unresolved(app),
  ],
})

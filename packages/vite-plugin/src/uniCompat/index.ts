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
 * Plug-ins for projects of the ecosystem: their packages, the Options API, old syntax and names. `beforeVue` sees
 * sources after conditional comments, `afterVue` the JavaScript that Vue's compiler writes.
 */
export const uniCompat = (app: MiniApp): { beforeVue: Plugin[]; afterVue: Plugin[] } => ({
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
    documentQueries(app),
    globalStyle(app),
    bundled(app),
    unresolved(app),
  ],
})

import { normalizePath, type Plugin } from 'vite'
import { bundledPackages } from '../migrate/ecosystem.ts'
import type { MiniApp } from '../miniApp.ts'
import { runtimeModule, runtimePackages } from '../packageNames.ts'
import { hasOtherVue, vueFolder } from '../packages.ts'

/**
 * Resolves Souk's packages and Vue from here, regardless of what the project has installed, so that there is one Vue.
 * Packages of frameworks, such as `@dcloudio/uni-app`, which the ecosystem's IDE bundles, are parts of the runtime.
 */
export function packages(app: MiniApp): Plugin {
  return {
    name: 'souk:packages',
    enforce: 'pre',
    resolveId: {
      // ReDoS: names only.
      filter: { id: new RegExp(`^(?:vue|@souk/(?:runtime|tags|contract|pages)|${runtimePackages.join('|')})(?:$|/)`) },
      handler(source) {
        // Resolved by Vite, this would be the project's Vue, which may be too old.
        if (source === 'vue' && hasOtherVue(app.folder)) return `${vueFolder}/dist/vue.runtime.esm-bundler.js`
        return this.resolve(runtimeModule(source) ?? source, import.meta.filename, { skipSelf: true })
      },
    },
  }
}

/**
 * Resolves packages that uni-app's IDE bundles from here if the project has not installed them, with a warning:
 * the project may be written for another version.
 */
export function bundled(app: MiniApp): Plugin {
  const warned = new Set<string>()
  return {
    name: 'souk:bundled-packages',
    resolveId: {
      // No other plug-in has resolved it.
      order: 'post',
      filter: { id: /^(?:pinia|vue-i18n|vuex)$/ },
      handler(name, importer) {
        if (!importer?.startsWith(`${normalizePath(app.root)}/`)) return undefined
        if (!warned.has(name)) this.warn(missingPackage(name))
        warned.add(name)
        return this.resolve(name, import.meta.filename, { skipSelf: true })
      },
    },
  }
}

const missingPackage = (name: string) =>
  `The package ${name} is not installed, because uni-app's IDE brings it along. The build uses Souk's. Add it with: npm install ${name}@${bundledPackages[name]}`

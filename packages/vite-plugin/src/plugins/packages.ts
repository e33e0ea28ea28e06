import { dirname } from 'node:path'
import { normalizePath, type Plugin } from 'vite'
import { bundledPackages } from '../migrate/ecosystem.ts'
import type { MiniApp } from '../miniApp.ts'
import { runtimeModule, runtimePackages } from '../packageNames.ts'
import { hasOtherVue, vueFolder } from '../packages.ts'
import { type BroughtPackage, broughtPackages, chooseVersion, installedVersion, otherTool } from '../versions.ts'

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
 * Resolves packages that the project imports without having installed them from here, in the version that package.json
 * lists. If it lists none, the build warns, because the project may be written for another version.
 */
export function bundled(app: MiniApp): Plugin {
  const warned = new Set<string>()
  return {
    name: 'souk:bundled-packages',
    enforce: 'pre',
    buildStart() {
      const less = otherTool(app.folder, 'less')
      // A development server calls this for each of its environments.
      if (less && !warned.has('less'))
        this.warn(`package.json lists less ${less.listed}, which is not installed. The build uses ${less.used}.`)
      warned.add('less')
    },
    resolveId: {
      // ReDoS: names only.
      filter: { id: new RegExp(`^(?:${broughtPackages.join('|')})$`) },
      handler(name, importer) {
        if (!importer?.startsWith(`${normalizePath(app.root)}/`)) return undefined
        // What a package depends on is no concern of the project.
        if (importer.includes('/node_modules/') && installedVersion(dirname(importer), name)) return undefined
        const { source, isUnlisted, warning, error } = chooseVersion(app.folder, name as BroughtPackage)
        if (error) this.error(error)
        const problem = isUnlisted ? missingPackage(name) : warning
        if (problem && !warned.has(name)) this.warn(problem)
        warned.add(name)
        return source && this.resolve(source, import.meta.filename, { skipSelf: true })
      },
    },
  }
}

const missingPackage = (name: string) =>
  `The package ${name} is not installed, because uni-app's IDE brings it along. The build uses Souk's. Add it with: npm install ${name}@${bundledPackages[name]}`

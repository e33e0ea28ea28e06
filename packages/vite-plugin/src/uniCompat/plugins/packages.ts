import { dirname } from 'node:path'
import { normalizePath, type Plugin } from 'vite'
import type { MiniApp } from '../../miniApp.ts'
import { bundledPackages } from '../migrate/ecosystem.ts'
import { runtimeModule, runtimePackages } from '../packageNames.ts'
import { type BroughtPackage, broughtPackages, chooseVersion, installedVersion, otherTool } from '../versions.ts'

/** Resolves packages of frameworks, such as `@dcloudio/uni-app`, which the IDE bundles, to parts of the runtime. */
export function frameworkPackages(): Plugin {
  return {
    name: 'souk:framework-packages',
    enforce: 'pre',
    resolveId: {
      // ReDoS: names only.
      filter: { id: new RegExp(`^(?:${runtimePackages.join('|')})(?:$|/)`) },
      handler(source) {
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
        const problem = isUnlisted ? unlistedPackage(name) : warning
        if (problem && !warned.has(name)) this.warn(problem)
        warned.add(name)
        return source && this.resolve(source, import.meta.filename, { skipSelf: true })
      },
    },
  }
}

const unlistedPackage = (name: string) =>
  `The package ${name} is not installed, because uni-app's IDE brings it along. The build uses Souk's. Add it with: npm install ${name}@${bundledPackages[name]}`

import { join } from 'node:path'
import type { AppManifest } from '@souk/shell/config'
import type { Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'
import { readPackage } from '../packageJson.ts'
import { ConfigError } from '../projectConfig.ts'

export const manifestFile = 'souk-app.json'

/**
 * Emits the manifest, from which hosts draw bars before the mini app's scripts have run, and pages.json for the
 * console. H5 releases omit pages.json because they are often published on a web server.
 */
export function manifest(app: MiniApp): Plugin {
  const text = () => {
    const minRuntime = requiredRuntime(app.folder)
    const hostFunctions = app.hostFunctions.map(({ name }) => name)
    return JSON.stringify({
      version: 1,
      ...(minRuntime && { minRuntime }),
      ...(hostFunctions.length > 0 && { hostFunctions }),
      makesCards: true,
      ...(Object.keys(app.customEvents).length > 0 && { customEvents: app.customEvents }),
      ...app.configuration,
    } satisfies AppManifest)
  }
  return {
    name: 'souk:manifest',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: manifestFile, source: text() })
      if (app.platform !== 'H5') this.emitFile({ type: 'asset', fileName: 'pages.json', source: app.text })
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const [path, query] = (request.originalUrl ?? '').split('?')
        // Scripts may import pages.json, which Vite asks for as a module.
        if (query !== undefined && new URLSearchParams(query).has('import')) return next()
        // As in a release: the inspector reads it.
        const content = path === `/${manifestFile}` ? text() : path === '/pages.json' ? app.text : undefined
        if (content === undefined) return next()
        response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' }).end(content)
      })
    },
  }
}

/**
 * Returns the minimum version of the runtime in hosts from `engines.souk` of package.json.
 * @throws ConfigError unless it is written like `>=0.2.0`
 */
function requiredRuntime(folder: string): string | undefined {
  const file = join(folder, 'package.json')
  const range = packageOf(file)?.engines?.souk
  if (range === undefined) return undefined
  const [, major, minor = '0', patch = '0'] =
    /^>=\s*(0|[1-9]\d{0,5})(?:\.(0|[1-9]\d{0,5}))?(?:\.(0|[1-9]\d{0,5}))?$/.exec(String(range).trim()) ?? []
  if (major === undefined) {
    throw new ConfigError(
      `${file}: engines.souk is ${JSON.stringify(range)}. Write the minimum version of the runtime, such as ">=0.2.0".`,
    )
  }
  return `${major}.${minor}.${patch}`
}

function packageOf(file: string): { engines?: { souk?: unknown } } | null | undefined {
  try {
    return readPackage(file) as { engines?: { souk?: unknown } } | null
  } catch {
    // A mini app does not need one.
    return undefined
  }
}

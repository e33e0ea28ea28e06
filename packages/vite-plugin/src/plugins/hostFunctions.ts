import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { normalizePath, type Plugin } from 'vite'
import { customEventsFile } from '../customEvents.ts'
import { hostFunctionsFile, hostFunctionTypes } from '../hostFunctions.ts'
import type { MiniApp } from '../miniApp.ts'

/**
 * Writes the types of `neu.host` next to the declarations, when the build starts and when the declarations change. The
 * page is loaded again when they change, and when those of custom events do.
 * In development it also serves the declarations, by whose examples the host answers.
 */
export function hostFunctions(app: MiniApp): Plugin {
  const isDeclarations = (path: string) =>
    [hostFunctionsFile, customEventsFile].some((file) => normalizePath(join(app.root, file)) === normalizePath(path))
  return {
    name: 'souk:host-functions',
    buildStart() {
      writeTypes(app)
    },
    configureServer({ middlewares, watcher, environments, config }) {
      watcher.on('all', (_, path) => {
        if (!isDeclarations(path)) return
        app
          .read()
          .then(() => {
            writeTypes(app)
            environments.client.moduleGraph.invalidateAll()
            environments.client.hot.send({ type: 'full-reload', path: '*' })
          })
          .catch((error: Error) => config.logger.error(error.message))
      })
      middlewares.use((request, response, next) => {
        if (request.originalUrl?.split('?')[0] !== `/${hostFunctionsFile}`) return next()
        const file = join(app.root, hostFunctionsFile)
        const text = existsSync(file) ? readFileSync(file, 'utf8') : '{}'
        response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' }).end(text)
      })
    },
  }
}

function writeTypes({ root, hostFunctions }: MiniApp): void {
  const file = join(root, hostFunctionsFile.replace(/json$/, 'd.ts'))
  const isWritten = existsSync(file)
  if (hostFunctions.length === 0 && !isWritten) return
  const text = hostFunctionTypes(hostFunctions)
  if (!isWritten || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MiniApp } from './miniApp.ts'

/** Returns the project's own index.html. */
export function ownDocument(app: MiniApp): string | undefined {
  const file = [app.root, app.folder].map((folder) => join(folder, 'index.html')).find((path) => existsSync(path))
  return file && readFileSync(file, 'utf8')
}

/** Returns the code of the scripts that the project's document has or loads from its static folders. */
export function documentScripts(app: MiniApp): string {
  // ReDoS: the developer's own index.html.
  const scripts = (ownDocument(app) ?? '').matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi)
  return [...scripts]
    .map(([, attributes, code]) => {
      const [, path] = /\bsrc=["'](?:\.?\/)?((?:[^"'?#/]+\/)*?static\/[^"'?#]+)/i.exec(attributes!) ?? []
      return path && app.files.exists(path) ? readFileSync(join(app.root, path), 'utf8') : code
    })
    .join('\n')
}

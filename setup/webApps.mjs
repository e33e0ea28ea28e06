// What browsers get from the server, and whether it has to be built: a hash of its sources stands beside what was built from them.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const shared = ['packages/design', 'packages/contract/src', 'packages/web', 'package-lock.json']

/** `folder` is also where the build is run, and `dist` in it is what comes out. */
export const webApps = [
  { name: 'console', folder: 'apps/console', sources: [...shared, 'packages/pages/src', 'packages/runtime/src'] },
  { name: 'host', folder: 'apps/host', sources: [...shared, 'packages/runtime/src', 'packages/tags/src'] },
]

/** Whether what is built comes from the sources at hand. */
export function isBuilt(root, app) {
  return read(stampOf(root, app)) === hashOf(root, app)
}

/** Notes from which sources was built. */
export function noteBuilt(root, app, hash) {
  writeFileSync(stampOf(root, app), hash)
}

/** The sources of an app as they are now. */
export function hashOf(root, { folder, sources }) {
  const hash = createHash('sha256')
  for (const path of [folder, ...sources].flatMap((path) => filesIn(root, path))) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

const stampOf = (root, { folder }) => join(root, folder, 'dist/.sources')

function filesIn(root, path) {
  if (/\.\w+$/.test(path)) return [path]
  return readdirSync(join(root, path), { withFileTypes: true, recursive: true })
    .map((entry) => ({
      entry,
      file: join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    }))
    .filter(({ entry, file }) => entry.isFile() && !/\/(node_modules|dist)\/|\.test\.ts$|\.md$/.test(file))
    .map(({ file }) => file)
    .sort()
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

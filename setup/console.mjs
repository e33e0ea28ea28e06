// Whether the web console has to be built: a hash of its sources stands beside what was built from them.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const sources = ['apps/console', 'packages/design', 'packages/contract/src', 'package-lock.json']
const stamp = 'apps/console/dist/.sources'

/** Whether what is built comes from the sources at hand. */
export function consoleIsBuilt(root) {
  return read(join(root, stamp)) === hashOfConsole(root)
}

/** Notes from which sources was built. */
export function noteConsoleBuilt(root, hash) {
  writeFileSync(join(root, stamp), hash)
}

/** The sources of the console as they are now. */
export function hashOfConsole(root) {
  const hash = createHash('sha256')
  for (const path of sources.flatMap((path) => filesIn(root, path))) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

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

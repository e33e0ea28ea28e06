// The web apps and the documentation that the server serves, and whether they need a build: a hash of the sources is
// stored with the output.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const vite = ['node_modules/vite/bin/vite.js', 'build', '--configLoader', 'native']
const vitePress = ['node_modules/vitepress/bin/vitepress.js', 'build']
const shared = ['packages/design', 'packages/contract/src', 'packages/web', 'package-lock.json']
/** What shows mini apps. */
const view = ['packages/host-view/src', 'packages/shell/src']
const imports = 'packages/vite-plugin/src/plugins/preload.ts'

/** What the documentation links to or is made of, except for linked tests, which are as old as the last build. */
const linkedFromDocs = [
  ...['setup/typesOfMiniApps.mjs', 'packages/runtime/src', 'packages/tags/src', 'packages/vite-plugin/src'],
  'sdks/generator',
  ...['package.json', 'e2e/pictures/names.ts'],
  ...['ARCHITECTURE.md', 'CHANGELOG.md', 'SECURITY.md', 'fuzz/README.md', 'packages/contract/openapi.json'],
  ...['packages/contract/vectors', 'packages/host/README.md', 'packages/vite-plugin/README.md', 'deploy/monitoring'],
  ...['go', 'java', 'php', 'python'].map((language) => `sdks/${language}/README.md`),
  ...['node', 'python', 'embed-android', 'embed-flutter', 'embed-ios', 'embed-react-native', 'coffee'].map(
    (example) => `examples/${example}/README.md`,
  ),
  ...['examples/ci', 'examples/embed', 'examples/coffee/src', 'examples/coffee/backend', 'apps/host/src/container'],
]

/**
 * `builder` with `folder` as its argument writes to `dist` in the folder. `sources` are what it depends on besides
 * `folder`.
 */
export const webApps = [
  {
    name: 'console',
    folder: 'apps/console',
    builder: vite,
    sources: [...shared, imports, 'packages/pages/src', ...view],
  },
  {
    name: 'host',
    folder: 'apps/host',
    builder: vite,
    sources: [...shared, imports, ...view],
  },
  {
    name: 'docs',
    folder: 'apps/docs',
    builder: vitePress,
    sources: ['docs', ...shared, 'packages/pages/src', ...view, ...linkedFromDocs],
  },
]

/** Returns whether the output was built from the current sources. */
export function isBuilt(root, app) {
  return read(hashFileOf(root, app)) === hashSources(root, app)
}

/** Stores the hash of the sources that the output was built from. */
export function recordBuild(root, app, hash) {
  writeFileSync(hashFileOf(root, app), hash)
}

/** Returns a hash of the current sources of an app. */
export function hashSources(root, { folder, sources }) {
  const hash = createHash('sha256')
  for (const path of [folder, ...sources].flatMap((path) => listFiles(root, path))) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

const hashFileOf = (root, { folder }) => join(root, folder, 'dist/.sources')

/** Files that no build reads, such as those of `npm run check`. Markdown is read for the documentation only. */
const unread = /\/(node_modules|dist)\/|\.(test\.ts|tsbuildinfo)$|^(apps|packages)\/.*\.md$/

function listFiles(root, path) {
  if (/\.\w+$/.test(path)) return [path]
  return readdirSync(join(root, path), { withFileTypes: true, recursive: true })
    .map((entry) => ({
      entry,
      file: join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    }))
    .filter(({ entry, file }) => entry.isFile() && !unread.test(file))
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

// What packages have in common: setup/packClients.mjs, setup/packJavaClient.mjs and setup/packPackages.mjs.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { zipSync } from 'fflate'

export const root = dirname(import.meta.dirname)
export const { version } = JSON.parse(read('package.json'))

/** Files that all packages contain. */
export const shared = Object.fromEntries(['LICENSE', 'CHANGELOG.md'].map((name) => [name, read(name)]))

/** In local time, which `fflate` writes: the first time that a zip archive can have. */
const mtime = new Date(1980, 0, 1)

/**
 * Returns the repository on GitHub Actions, where releases are built, with the address of its start page; undefined
 * elsewhere, where nothing says where the sources are. The same rule as for the packages on npm.
 */
export function repository({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env) {
  if (!server || !name) return undefined
  const url = `${server}/${name}`
  return { url, homepage: `${url}#readme`, changelog: `${url}/blob/v${version}/CHANGELOG.md` }
}

export function read(path) {
  return readFileSync(join(root, path))
}

/**
 * Returns the README of a folder. A package does not contain the other files that it links to: the links lead to the
 * repository, and are plain text where its address is not known.
 */
export function readmeOf(folder) {
  const source = repository()
  const link = /\[([^[\]]+)\]\((\.\.\/[^)\s#]*)(#[^)\s]*)?\)/g
  return read(`${folder}/README.md`)
    .toString()
    .replace(link, (_link, text, path, hash = '') =>
      source ? `[${text}](${source.url}/blob/v${version}/${posix.join(folder, path)}${hash})` : text,
    )
}

/** Returns the contents of files by path below a folder, sorted. */
export function filesIn(base, patterns, isPart = () => true) {
  const paths = patterns.flatMap((pattern) => globSync(pattern, { cwd: join(root, base) })).filter(isPart)
  return Object.fromEntries(paths.sort().map((path) => [path.replaceAll('\\', '/'), read(join(base, path))]))
}

export function zip(files) {
  return zipSync(files, { mtime, level: 9, os: 3, attrs: 0o100644 << 16 })
}

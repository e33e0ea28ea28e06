import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Folder of the repository. The site shows what its pages link to outside of `docs`. */
const root = join(import.meta.dirname, '../../..')

/** Folder of the site for what is outside of `docs`. */
const folder = 'repository'

/** Returns the file in the repository of a page of the site. */
export const fileOf = (page: string): string =>
  page.startsWith(`${folder}/`) ? page.slice(folder.length + 1) : `docs/${page}`

/**
 * Returns the address on the site of a link in a file of the repository, from the site's root. Returns undefined for
 * links within a page, from the root of the site, and to other sites.
 * @throws Error if the link leads nowhere
 */
export function siteLink(link: string, file: string): string | undefined {
  if (/^[#/]/.test(link) || URL.canParse(link)) return undefined
  const [path = '', hash] = link.split('#')
  const target = posix.join(posix.dirname(file), path).replace(/\/$/, '')
  if (!existsSync(join(root, target))) throw new Error(`${file} links to ${link}, which does not exist.`)
  // The index of a folder is at the address of the folder.
  const address = (isFile(target) ? servedPath(target) : pageOf(target)).replace(
    /^((?:adr|neu|tags)\/)?(?:README|index)\.md$/,
    '$1',
  )
  return `/${address}${hash ? `#${hash}` : ''}`
}

/** What the Markdown in `docs` links to outside of it, and what that links to. */
export interface Linked {
  /** Markdown, lists of folders, and examples with colors: paths below the folder of the site, without extension. */
  pages: { path: string; content: string }[]
  /** Other sources, which are served as they are: path in the repository, and on the site. */
  files: { source: string; path: string }[]
}

/** Returns what the site has of the repository besides `docs`. */
export function linkedFromDocs(): Linked {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  const found = new Set(docs.filter((path) => path.endsWith('.md')).map((path) => `docs/${path.replaceAll('\\', '/')}`))
  // A set is iterated with what is added meanwhile.
  for (const path of found) for (const linked of linksOf(path)) found.add(linked)
  const all = [...found].filter((path) => !path.startsWith('docs/'))
  return {
    pages: all
      .filter((path) => !isFile(path) && !(isFolder(path) && readmeOf(path)))
      .map((path) => ({ path: pageOf(path).slice(folder.length + 1, -'.md'.length), content: contentOf(path) })),
    files: all.filter(isFile).map((source) => ({ source, path: servedPath(source) })),
  }
}

/** Returns the page of a Markdown file, an example or a folder. An example has no extension that servers know. */
function pageOf(path: string): string {
  if (path.startsWith('docs/')) return isFolder(path) ? `${path.slice(5)}/README.md` : path.slice(5)
  if (isFolder(path)) return `${folder}/${readmeOf(path) ?? `${path}.md`}`
  return `${folder}/${path.endsWith('.md') ? path : `${path.replace(/\.(?=\w+$)/, '-')}.md`}`
}

/** Returns whether the site serves a file as it is, instead of a page with it: tests and the like are long. */
const isFile = (path: string) => !path.endsWith('.md') && !path.startsWith('examples/') && !isFolder(path)

/** Returns the address of a file that is served as it is. Browsers would download a type that they do not know. */
function servedPath(path: string): string {
  if (path === 'packages/contract/openapi.json') return 'openapi.json'
  return `${folder}/${path}${path.endsWith('.json') ? '' : '.txt'}`
}

/** Returns what needs an address because a file links to it, or because it is in a folder without README. */
function linksOf(path: string): string[] {
  if (isFolder(path)) return readmeOf(path) ? [`${path}/README.md`] : filesIn(path)
  if (!path.endsWith('.md')) return []
  const text = read(path).replace(/^```.*?^```/gms, '')
  return Array.from(text.matchAll(/\]\(([^)\s#:]+)(?:#[^)\s]*)?\)/g), ([, link]) => link!)
    .map((link) => posix.join(posix.dirname(path), link).replace(/\/$/, ''))
    .filter((target) => !target.startsWith('docs/') && existsSync(join(root, target)))
}

/** Returns the Markdown of a page. */
function contentOf(path: string): string {
  if (path.endsWith('.md')) return read(path)
  if (isFolder(path)) {
    const links = filesIn(path).map(
      (file) => `- [${posix.relative(path, file)}](${posix.relative(posix.dirname(path), file)})`,
    )
    return `# ${path}\n\n${links.join('\n')}\n`
  }
  const language = posix.extname(path).slice(1)
  return `# ${posix.basename(path)}\n\n\`${path}\`\n\n\`\`\`\`\`${language}\n${read(path).trimEnd()}\n\`\`\`\`\`\n`
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const isFolder = (path: string) => statSync(join(root, path)).isDirectory()
const readmeOf = (path: string) => (existsSync(join(root, path, 'README.md')) ? `${path}/README.md` : undefined)
const filesIn = (path: string) =>
  readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .map((name) => `${path}/${name.replaceAll('\\', '/')}`)
    .filter((file) => !isFolder(file))
    .sort()

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The mini app whose pages are the examples of the reference. The site contains its build. */
export const examplesFolder = join(import.meta.dirname, '../../examples')

export interface Example {
  /** Path of the page, as in pages.json. */
  path: string
  source: string
  /** False for a sub-window, which its page shows. */
  isPage: boolean
}

const read = (path: string): Example => ({
  path: path.replace(/\.n?vue$/, ''),
  source: readFileSync(join(examplesFolder, path), 'utf8'),
  isPage: path.endsWith('.vue'),
})

/** The examples, in the order of their names. */
export const examples: readonly Example[] = readdirSync(join(examplesFolder, 'pages'), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((path) => /\.n?vue$/.test(path))
  .map((path) => read(`pages/${path.replaceAll('\\', '/')}`))
  .sort((a, b) => (a.path < b.path ? -1 : 1))

/** Returns the example of a function: the page with its name, or the first one that uses it. */
export function exampleOfFunction(name: string): Example | undefined {
  const uses = new RegExp(`\\bneu\\.${name.replace('$', '\\$')}\\b`)
  return examples.find(({ path }) => path === `pages/neu/${name}`) ?? examples.find(({ source }) => uses.test(source))
}

/** Returns the example of a tag: the page with its name, or the first one that uses it. */
export function exampleOfTag(tag: string): Example | undefined {
  // Written so in a list.
  const uses = new RegExp(`<${tag === 'list-header' ? 'header' : tag}[\\s>/]`)
  const ofTags = examples.filter(({ path }) => path.startsWith('pages/tags/'))
  return (
    examples.find(({ path }) => path === `pages/tags/${tag}/index`) ?? ofTags.find(({ source }) => uses.test(source))
  )
}

/** Returns the Markdown of an example: its source, and in a phone if it can run there. */
export const exampleText = ({ path, source, isPage }: Example, runs: boolean) =>
  `\`\`\`vue${runs && isPage ? ` phone ${path}` : ''}\n${source.trimEnd()}\n\`\`\`\n`

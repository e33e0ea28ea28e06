import { type TypesOfMiniApps, typesOfMiniApps } from '../../../../setup/typesOfMiniApps.mjs'
import { functionList, functionPage, functionsOn, functionsWithPage } from './functions.ts'
import { tagList, tagNames, tagPage } from './tags.ts'

let read: TypesOfMiniApps | undefined

/** Returns the types, which take seconds to read. */
export function types(): TypesOfMiniApps {
  read ??= typesOfMiniApps()
  return read
}

/** Returns the Markdown that the site adds to a list, which names what has a page of its own. */
export function listOn(path: string): string | undefined {
  if (path === 'neu/index.md') return functionList(types().functions)
  return path === 'tags/index.md' ? tagList(types()) : undefined
}

/** Returns the Markdown of the page of each function. */
export const functionPages = (): { name: string; content: string }[] =>
  functionsWithPage.map((name) => ({ name, content: functionPage(name, types().functions) }))

/** Returns the Markdown of the page of each tag. */
export const tagPages = (): { tag: string; content: string }[] =>
  tagNames.map((tag) => ({ tag, content: tagPage(tag, types()) }))

/** Returns the Markdown that the search knows of the page of a function: what it does, takes and returns. */
export function functionText(name: string): string {
  const { functions } = types()
  if (!functions[name]) return '# Functions of neu\n\nReference of all functions of neu, uni and wx.\n'
  const texts = [name, ...functionsOn(name)].map((each) => {
    const { description, options, parameters, result } = functions[each]!
    const fields = [...options, ...parameters, ...result].map((field) => field.name)
    return `neu.${each} uni.${each}: ${description} ${[...new Set(fields)].join(' ')}`
  })
  return `# neu.${name}\n\n${texts.join('\n\n')}\n`
}

/** Returns the Markdown that the search knows of the page of a tag. */
export function tagText(tag: string): string {
  const { tags } = types()
  if (!tags[tag]) return '# Tags\n\nReference of all tags of pages.\n'
  const { description, attributes, events } = tags[tag]
  return `# ${tag}\n\nThe tag ${tag}: ${description} ${[...attributes, ...events].map(({ name }) => name).join(' ')}\n`
}

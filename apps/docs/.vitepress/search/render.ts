import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DefaultTheme } from 'vitepress'
import { errorHelp } from '../../../../packages/contract/src/errorHelp.ts'
import { type ErrorCode, errors } from '../../../../packages/contract/src/errors.ts'
import { operations } from '../../../../packages/contract/src/openapi.ts'
import { type ErrorLanguage, errorTextsIn } from '../errors/texts.ts'
import { functionText, tagText } from '../reference/index.ts'
import { sources } from '../sidebar.ts'

type Render = NonNullable<DefaultTheme.LocalSearchOptions['_render']>

/**
 * Renders a page for the index of the search. Pages without a file are made of the contract or the repository: errors
 * are found by code, message and what to do, operations by their parameters, functions and tags by what they do and
 * take, and READMEs by their text. What the list
 * of all errors and the reference of all operations repeat is in the index once.
 */
export const renderForSearch: Render = async (source, env, md) => {
  Object.assign(env, { isForSearch: true })
  const html = await md.renderAsync(indexedPart(source, env.relativePath), env)
  return env.frontmatter?.search === false ? '' : html
}

function indexedPart(source: string, page: string): string {
  const [, language, path] = /^(?:(zh|ar)\/)?(.*)\.md$/.exec(page) as unknown as [string, ErrorLanguage?, string?]
  const [folder, ...rest] = path!.split('/')
  const name = rest.join('/')
  if (folder === 'errors') return errorText(name as ErrorCode, language)
  if (folder === 'operations') return operationText(name)
  if (folder === 'neu') return functionText(name)
  if (folder === 'tags') return tagText(name)
  // The changelog and code answer no questions.
  if (folder === 'repository')
    return /README$|^SECURITY$/.test(name) ? readFileSync(join(sources, '..', `${name}.md`), 'utf8') : ''
  return /^generated\/(?:errors|reference)$/.test(path!) ? source.split('\n## ')[0]! : source
}

function errorText(code: ErrorCode, language?: ErrorLanguage): string {
  const { cause, fix } = language ? errorTextsIn(language, code) : errorHelp[code]
  return `# ${code}\n\nError ${errors[code].status}. ${errors[code].msg}\n\n${cause}\n\n${fix}\n`
}

function operationText(id: string): string {
  const operation = operations.find((one) => one.id === id)
  if (!operation) return '# API operations\n\nAll operations of the HTTP APIs.\n'
  const { summary, method, path, notes = '', parameters } = operation
  return `# ${summary}\n\n${id} ${method} ${path} ${notes} ${Object.keys(parameters.properties).join(' ')}\n`
}

import type { DefaultTheme } from 'vitepress'
import { errorFixes } from '../../../../packages/contract/src/errorFixes.ts'
import { type ErrorCode, errors } from '../../../../packages/contract/src/errors.ts'

type Render = NonNullable<DefaultTheme.LocalSearchOptions['_render']>

/**
 * Renders a page for the index of the search. Pages of errors have no file: they are found by code, message and what to
 * do. The list of all errors contains the same texts, so that only its introduction is in the index.
 */
export const renderForSearch: Render = async (source, env, md) => {
  const code = /^errors\/(\w+)\.md$/.exec(env.relativePath)?.[1]
  const html = await md.renderAsync(code ? errorText(code as ErrorCode) : indexedPart(source, env.relativePath), env)
  return env.frontmatter?.search === false ? '' : html
}

const errorText = (code: ErrorCode) =>
  `# ${code}\n\nError ${errors[code].status}. ${errors[code].msg}\n\n${errorFixes[code]}\n`

function indexedPart(source: string, page: string): string {
  return page === 'generated/errors.md' ? source.split('\n## ')[0]! : source
}

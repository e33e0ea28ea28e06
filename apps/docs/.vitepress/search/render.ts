import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DefaultTheme } from 'vitepress'
import { errorFixes } from '../../../../packages/contract/src/errorFixes.ts'
import { type ErrorCode, errors } from '../../../../packages/contract/src/errors.ts'
import { sources } from '../sidebar.ts'

type Render = NonNullable<DefaultTheme.LocalSearchOptions['_render']>

/**
 * Renders a page for the index of the search. Pages without a file of their own are those of errors, which are found by
 * code, message and what to do, and of the repository, of which the changelog and code are not in the index. The list of
 * all errors contains the same texts, so that only its introduction is in the index.
 */
export const renderForSearch: Render = async (source, env, md) => {
  const html = await md.renderAsync(indexedPart(source, env.relativePath), env)
  return env.frontmatter?.search === false ? '' : html
}

function indexedPart(source: string, page: string): string {
  const code = /^errors\/(\w+)\.md$/.exec(page)?.[1]
  if (code) return errorText(code as ErrorCode)
  const readme = /^repository\/(.+README\.md|SECURITY\.md)$/.exec(page)?.[1]
  if (readme) return readFileSync(join(sources, '..', readme), 'utf8')
  return page === 'generated/errors.md' ? source.split('\n## ')[0]! : source
}

const errorText = (code: ErrorCode) =>
  `# ${code}\n\nError ${errors[code].status}. ${errors[code].msg}\n\n${errorFixes[code]}\n`

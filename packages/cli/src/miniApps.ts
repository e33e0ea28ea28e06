import { stripVTControlCharacters } from 'node:util'
import { ProjectFault } from '@souk/project'
import { Failure } from './failure.ts'

/** The build tool, which is large: only the commands that build load it. */
export const buildTool = () => import('@souk/vite-plugin')

/** What went wrong with a project, told to people; faults of Souk itself go on as they are. */
export function failureOf(error: unknown): unknown {
  if (error instanceof ProjectFault) {
    return new Failure(
      2,
      error.message,
      'Name the folder of a mini app, or its pages.json; npm create souk-miniapp makes one.',
    )
  }
  if (!(error instanceof Error)) return error
  if (error.name === 'FolderFault')
    return new Failure(2, error.message, 'Name a folder that is empty or not there yet.')
  const faults = 'errors' in error && Array.isArray(error.errors) ? (error.errors as CompileFault[]) : []
  return faults.length > 0 ? new Failure(1, faults.map(textOf).join('\n\n')) : error
}

/** What compilers tell of a fault. */
interface CompileFault {
  message?: string
  id?: string
  loc?: { file?: string; line?: number; column?: number }
  frame?: string
}

function textOf({ message = '', id, loc, frame }: CompileFault): string {
  const file = loc?.file ?? id
  const place = file && (loc?.line === undefined ? file : `${file}:${loc.line}:${(loc.column ?? 0) + 1}`)
  return stripVTControlCharacters([place, message, frame].filter(Boolean).join('\n'))
}

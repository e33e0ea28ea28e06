import { relative, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Os, Platform } from '@souk/pages'
import { ProjectError } from '@souk/project'
import type { Release } from '@souk/vite-plugin'
import { Failure } from './failure.ts'
import { reported } from './pages/report.ts'
import type { Session } from './session.ts'

/** The build tool, which is large: only the commands that build load it. */
export const buildTool = () => import('@souk/vite-plugin')

/**
 * Builds the mini app at `path`. Where its pages.json has errors they are printed, and there is no release.
 * @throws Failure when there is no mini app, or it does not compile
 */
export async function builtRelease(
  { environment, json }: Session,
  { path, platform, os, out }: { path: string; platform: Platform; os?: Os | undefined; out?: string | undefined },
): Promise<Release | undefined> {
  const { release, PagesError } = await buildTool()
  try {
    return await release({
      project: resolve(environment.folder, path),
      platform,
      ...(os && { os }),
      colors: environment.colors,
      ...(out !== undefined && { out: resolve(environment.folder, out) }),
    })
  } catch (error) {
    if (!(error instanceof PagesError)) throw failureOf(error)
    const { file, text, diagnostics, message } = error
    if (json) {
      const name = relative(environment.folder, file)
      environment.out(`${JSON.stringify({ platform, diagnostics: reported(name, text, diagnostics) })}\n`)
    } else environment.err(`${message}\n\nThere is no release while pages.json has errors.\n`)
    return undefined
  }
}

/** What went wrong with a project, told to people; faults of Souk itself go on as they are. */
export function failureOf(error: unknown): unknown {
  if (error instanceof ProjectError) {
    return new Failure(
      2,
      error.message,
      'Name the folder of a mini app, or its pages.json; npm create souk-miniapp makes one.',
    )
  }
  if (!(error instanceof Error)) return error
  if (error.name === 'FolderError')
    return new Failure(2, error.message, 'Empty it yourself, or name another one with --out.')
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
  // A block of a component is asked for as its file with a query.
  const file = loc?.file ?? id?.replace(/\?.*/s, '')
  const place = file && (loc?.line === undefined ? file : `${file}:${loc.line}:${(loc.column ?? 0) + 1}`)
  return stripVTControlCharacters([place, message, frame].filter(Boolean).join('\n'))
}

import { relative, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Os, Platform } from '@souk/pages'
import type { PlatformChoice, ProjectError } from '@souk/project'
import type { Release } from '@souk/vite-plugin'
import { Failure } from './failure.ts'
import { reported } from './pages/report.ts'
import type { Session } from './session.ts'

/**
 * Loads the build tool, which is large, only in commands that build.
 * @throws Failure in the package of the server, which does not contain it
 */
export async function buildTool(): Promise<typeof import('@souk/vite-plugin')> {
  try {
    return await import('@souk/vite-plugin')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error
    throw new Failure(2, 'This installation does not contain the build tool of mini apps.', 'Install @souk/cli.')
  }
}

/**
 * Returns the platform that a command builds the mini app at `path` for.
 * @throws Failure if SOUK_PLATFORM or package.json names an unknown platform
 */
export async function platformOf({ environment }: Session, path: string, option?: Platform): Promise<PlatformChoice> {
  const { choosePlatform } = await import('@souk/project')
  try {
    return choosePlatform(resolve(environment.folder, path), option)
  } catch (error) {
    throw failureOf(error)
  }
}

const sourceNames: Record<PlatformChoice['source'], string> = {
  option: '--platform',
  variable: 'SOUK_PLATFORM',
  package: 'package.json',
  default: 'default',
}

/** Returns a platform and what has decided it, such as `App (default)`. */
export const describePlatform = ({ platform, source }: PlatformChoice): string => `${platform} (${sourceNames[source]})`

/**
 * Builds the mini app at `path`. If its pages.json has errors, prints them and creates no release.
 * @throws Failure if there is no mini app, or it does not compile
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
    } else environment.err(`${message}\n\nNo release was created because pages.json has errors.\n`)
    return undefined
  }
}

/** Converts errors of a project to failures with a message; internal errors are returned unchanged. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  // By name, because the packed command has its own copy of `@souk/project`, which the build tool does not use.
  if (error.name === 'ProjectError') {
    return new Failure(
      2,
      error.message,
      (error as Partial<ProjectError>).advice ??
        'Pass the folder of a mini app, or its pages.json. Create one: npm create @souk/miniapp@latest my-app --@souk:registry=http://localhost:7070/npm/',
    )
  }
  if (error.name === 'PlatformError') return new Failure(2, error.message, 'Correct it, or use --platform.')
  if (error.name === 'ConfigError' || error.name === 'PagesError') return new Failure(1, error.message)
  if (error.name === 'VueVersionError')
    return new Failure(1, error.message, 'Port the project to Vue 3, then build it again.')
  if (error.name === 'FolderError')
    return new Failure(2, error.message, 'Choose another folder with --out, or make this one empty and writable.')
  const faults = 'errors' in error && Array.isArray(error.errors) ? (error.errors as CompileFault[]) : []
  return faults.length > 0 ? new Failure(1, [...new Set(faults.map(textOf))].join('\n\n')) : error
}

/** An error of a compiler. */
interface CompileFault {
  message?: string
  id?: string
  loc?: { file?: string; line?: number; column?: number }
  frame?: string
}

function textOf({ message = '', id, loc, frame }: CompileFault): string {
  // A block of a component has the path of its file with a query.
  const file = loc?.file ?? id?.replace(/\?.*/s, '')
  const place = file && (loc?.line === undefined ? file : `${file}:${loc.line}:${(loc.column ?? 0) + 1}`)
  return stripVTControlCharacters([place, message, frame].filter(Boolean).join('\n'))
}

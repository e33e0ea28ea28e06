import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Platform } from '@souk/pages'
import { Failure } from '../failure.ts'
import { buildTool, failureOf } from '../miniApps.ts'
import { openFirstPage, serveFolder } from './firstPage.ts'

/** What a build of a project and its first page have shown. */
export interface Trial {
  /** Why the project does not run; empty if it does. */
  readonly reasons: readonly string[]
  /** False without a browser: the project was only built. */
  readonly isOpened: boolean
}

/**
 * Builds a release in a temporary folder, and opens its first page. The first page of App and Mini App is opened in the
 * frame of the development server, which has the bridge of a host.
 *
 * @param project absolute path
 * @param chromium path of Chromium, without which the project is only built
 * @throws Failure 2 if there is no project
 */
export async function tryProject(project: string, platform: Platform, chromium: string | undefined): Promise<Trial> {
  const { release, serve } = await buildTool()
  const folder = await mkdtemp(join(tmpdir(), 'souk-trial-'))
  try {
    const out = join(folder, 'release')
    await release({ project, platform, out, colors: false })
    if (chromium === undefined) return { reasons: [], isOpened: false }
    const server = platform === 'H5' ? await serveFolder(out) : await serve({ project, platform, colors: false })
    try {
      const { isShown, errors } = await openFirstPage(chromium, 'url' in server ? server.url : server.urls[0]!)
      const blank = isShown ? [] : ['the first page stays blank']
      return { reasons: [...blank, ...errors.map((message) => `the first page throws ${message}`)], isOpened: true }
    } finally {
      await server.close()
    }
  } catch (error) {
    const failure = failureOf(error)
    if (failure instanceof Failure && failure.status === 2) throw failure
    const { message } = failure as Error
    return { reasons: [`it cannot be built: ${stripVTControlCharacters(message).trim()}`], isOpened: false }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

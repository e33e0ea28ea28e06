import { stripVTControlCharacters } from 'node:util'
import { type Diagnostic, Lines } from '@souk/pages'
import { renderDiagnostics, styleFor } from '@souk/project'
import { normalizePath, type Plugin } from 'vite'
import type { DisplayedDiagnostic } from '../client/displayedDiagnostic.ts'
import type { MiniApp } from '../miniApp.ts'

/**
 * Thrown if pages.json has errors for the platform with which the mini app cannot run. `message` contains all errors,
 * formatted for a terminal.
 */
export class PagesError extends Error {
  override readonly name = 'PagesError'
  /** Absolute path of pages.json. */
  readonly file: string
  /** Content of pages.json; the offsets of `diagnostics` refer to it. */
  readonly text: string
  /** All diagnostics for the platform, with at least one that blocks. */
  readonly diagnostics: readonly Diagnostic[]

  constructor(message: string, { file, text, diagnostics }: Pick<MiniApp, 'file' | 'text' | 'diagnostics'>) {
    super(message)
    this.file = file
    this.text = text
    this.diagnostics = diagnostics
  }
}

/**
 * Reports diagnostics of pages.json in the terminal and, in development, in the page. Errors with which the
 * mini app cannot run fail the build.
 */
export function diagnostics(app: MiniApp): Plugin {
  return {
    name: 'souk:diagnostics',
    configResolved({ logger }) {
      const report = app.report()
      if (report === undefined) return
      if (!app.isDevelopment && app.errors.some(({ blocks }) => blocks)) throw new PagesError(report, app)
      logger.warn(`${report}\n`)
    },
  }
}

/** Converts errors and warnings for display in the page. */
export function displayedDiagnostics({ diagnostics, file, text }: MiniApp): DisplayedDiagnostic[] {
  const lines = new Lines(text)
  return diagnostics.flatMap((each) => {
    const { severity, code, message, offset } = each
    if (severity !== 'error' && severity !== 'warning') return []
    const frame = renderDiagnostics('pages.json', text, [each], styleFor(false)).split('\n\n')[0]!
    return [
      {
        severity,
        code,
        message,
        frame: stripVTControlCharacters(frame),
        file: normalizePath(file),
        ...lines.positionAt(offset),
      },
    ]
  })
}

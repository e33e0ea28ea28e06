import { stripVTControlCharacters } from 'node:util'
import { type Diagnostic, Lines } from '@souk/pages'
import { renderDiagnostics, styleFor } from '@souk/project'
import { normalizePath, type Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'

/** A diagnostic as the page shows it. */
export interface DisplayedDiagnostic {
  severity: 'error' | 'warning'
  code: string
  message: string
  /** As the terminal shows it, without colours. */
  frame: string
  /** Absolute. */
  file: string
  line: number
  column: number
}

/** No release is made, because pages.json has errors for its platform. `message` has them all as a terminal shows them, several lines each. */
export class PagesFault extends Error {
  override readonly name = 'PagesFault'
  /** Absolute path of the pages.json. */
  readonly file: string
  /** What is in it, which the offsets of `diagnostics` count in. */
  readonly text: string
  /** Everything that was found for the platform: errors, of which there is one at least, and what is less. */
  readonly diagnostics: readonly Diagnostic[]

  constructor(message: string, { file, text, diagnostics }: Pick<MiniApp, 'file' | 'text' | 'diagnostics'>) {
    super(message)
    this.file = file
    this.text = text
    this.diagnostics = diagnostics
  }
}

/** Tells what is wrong with pages.json: in the terminal and, in development, in the page. Errors end a build. */
export function diagnostics(app: MiniApp): Plugin {
  return {
    name: 'souk:diagnostics',
    configResolved({ logger }) {
      const report = app.report()
      if (report === undefined) return
      if (!app.isDevelopment && app.errors.length > 0) throw new PagesFault(report, app)
      logger.warn(`${report}\n`)
    },
    resolveId: { filter: { id: /^virtual:souk-diagnostics$/ }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: /^\0virtual:souk-diagnostics$/ },
      handler: () => `export default ${JSON.stringify(displayedDiagnostics(app))}`,
    },
  }
}

/** Errors and warnings as the page shows them. */
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

import { isAbsolute, relative, sep } from 'node:path'
import { type Diagnostic, Lines, type Platform, type Severity } from '@souk/pages'
import { type Project, type Span, spanOf } from '@souk/project'

/** A diagnostic in command output; lines and columns start at 1, columns in UTF-16 code units, the end is exclusive. */
export type Reported = Span & {
  /** Path relative to the current directory, with forward slashes. */
  readonly file: string
  readonly severity: Severity
  /** Set for errors with which the mini app cannot be released. */
  readonly blocks: boolean
  readonly code: string
  readonly message: string
  readonly platforms: readonly Platform[]
  readonly fix?: { readonly title: string; readonly edits: readonly (Span & { readonly text: string })[] }
}

export function reported(file: string, text: string, diagnostics: readonly Diagnostic[]): Reported[] {
  const lines = new Lines(text)
  return diagnostics.map(({ code, severity, blocks, message, platforms, fix, ...place }) => ({
    file,
    ...spanOf(lines, place),
    severity,
    blocks,
    code,
    message,
    platforms,
    ...(fix && {
      fix: { title: fix.title, edits: fix.edits.map((edit) => ({ ...spanOf(lines, edit), text: edit.text })) },
    }),
  }))
}

/** Returns the path relative to a folder, with forward slashes; outside of it, the absolute path. */
export function nameOf({ file }: Project, folder: string): string {
  const name = relative(folder, file)
  return (name.startsWith('..') || isAbsolute(name) ? file : name).replaceAll(sep, '/')
}

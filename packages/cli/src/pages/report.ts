import { type Diagnostic, Lines, type Platform, type Severity } from '@souk/pages'
import { type Span, spanOf } from '@souk/project'

/** A diagnostic as commands print it; lines and columns from 1, columns in UTF-16 code units, the end behind the last one. */
export type Reported = Span & {
  /** As it lies from the folder that the command was typed in, with forward slashes. */
  readonly file: string
  readonly severity: Severity
  readonly code: string
  readonly message: string
  readonly platforms: readonly Platform[]
  readonly fix?: { readonly title: string; readonly edits: readonly (Span & { readonly text: string })[] }
}

export function reported(file: string, text: string, diagnostics: readonly Diagnostic[]): Reported[] {
  const lines = new Lines(text)
  return diagnostics.map(({ code, severity, message, platforms, fix, ...place }) => ({
    file,
    ...spanOf(lines, place),
    severity,
    code,
    message,
    platforms,
    ...(fix && {
      fix: { title: fix.title, edits: fix.edits.map((edit) => ({ ...spanOf(lines, edit), text: edit.text })) },
    }),
  }))
}

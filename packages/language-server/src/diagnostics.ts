import { type Code, type Diagnostic, platforms } from '@souk/pages'
import { DiagnosticSeverity, DiagnosticTag, type Diagnostic as LspDiagnostic } from 'vscode-languageserver/node'
import type { OpenFile } from './openFile.ts'

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
} as const

/** What these are about does nothing: editors show it faded. */
const idle: ReadonlySet<Code> = new Set(['key-no-effect', 'key-platform', 'key-duplicate', 'bar-hidden'])

export function toLsp(file: OpenFile, diagnostic: Diagnostic): LspDiagnostic {
  const { severity, code, message, related } = diagnostic
  const concerns = diagnostic.platforms.length < platforms.length ? ` (${diagnostic.platforms.join(', ')})` : ''
  return {
    range: file.rangeOf(diagnostic),
    severity: severities[severity],
    code,
    source: 'souk',
    message: message + concerns,
    ...(idle.has(code) && { tags: [DiagnosticTag.Unnecessary] }),
    ...(related && {
      relatedInformation: related.map((each) => ({
        location: { uri: file.document.uri, range: file.rangeOf(each) },
        message: each.message,
      })),
    }),
  }
}

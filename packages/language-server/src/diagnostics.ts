import { type Diagnostic, isUnnecessary, messageOf } from '@souk/pages'
import { DiagnosticSeverity, DiagnosticTag, type Diagnostic as LspDiagnostic } from 'vscode-languageserver/node'
import type { OpenFile } from './openFile.ts'

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
} as const

export function toLsp(file: OpenFile, diagnostic: Diagnostic): LspDiagnostic {
  const { severity, code, related } = diagnostic
  return {
    range: file.rangeOf(diagnostic),
    severity: severities[severity],
    code,
    source: 'souk',
    message: messageOf(diagnostic),
    ...(isUnnecessary(diagnostic) && { tags: [DiagnosticTag.Unnecessary] }),
    ...(related && {
      relatedInformation: related.map((each) => ({
        location: { uri: file.document.uri, range: file.rangeOf(each) },
        message: each.message,
      })),
    }),
  }
}

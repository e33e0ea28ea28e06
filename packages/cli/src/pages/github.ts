import { messageOf } from '@souk/pages'
import type { Reported } from './report.ts'

const levels = { error: 'error', warning: 'warning', hint: 'notice', info: 'notice' } as const

/** Formats workflow commands, which GitHub shows as annotations. Paths must be relative to the repository root. */
export function toGithub(diagnostics: readonly Reported[]): string {
  return diagnostics.map((each) => `${command(each)}\n`).join('')
}

function command(diagnostic: Reported): string {
  const { severity, file, line, column, endLine, endColumn, code } = diagnostic
  // Columns are only allowed within one line.
  const columns = line === endLine ? { col: column, endColumn } : {}
  const properties = Object.entries({ file, line, endLine, ...columns, title: `souk ${code}` })
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
    .join(',')
  return `::${levels[severity]} ${properties}::${escapeData(messageOf(diagnostic))}`
}

const escapeData = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const escapeProperty = (text: string) => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

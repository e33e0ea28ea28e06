import { type Diagnostic, isSafe, Lines, platforms, type Severity } from '@souk/pages'
import { plain, type Style, widthOf } from './terminal.ts'

const colors = { error: 'red', warning: 'yellow', hint: 'cyan', info: 'dim' } as const

/** Columns of a line that are shown; longer ones are cut around the place. */
const widest = 110

/** Diagnostics as a compiler shows them: what is wrong, the line with the place under it, what to do; then a line that sums up. */
export function renderDiagnostics(
  file: string,
  text: string,
  diagnostics: readonly Diagnostic[],
  style: Style,
): string {
  const lines = new Lines(text)
  const parts = diagnostics.map((diagnostic) => renderDiagnostic(file, text, lines, diagnostic, style))
  return [...parts, summary(file, diagnostics, style)].join('\n\n')
}

function renderDiagnostic(file: string, text: string, lines: Lines, diagnostic: Diagnostic, style: Style): string {
  const { severity, code, message, fix, related = [] } = diagnostic
  const color = colors[severity]
  const notes = [
    ...(fix ? [`${isSafe(diagnostic) ? style('green', 'fix') : style('cyan', 'perhaps')}: ${plain(fix.title)}`] : []),
    ...(diagnostic.platforms.length < platforms.length
      ? [`${style('dim', 'concerns')}: ${diagnostic.platforms.join(', ')}`]
      : []),
  ]
  const gutter = ' '.repeat(String(lines.positionAt(diagnostic.offset).line).length)
  const rows = [
    `${style(color, `${severity}[${code}]`)}: ${style('bold', plain(message))}`,
    ...frame(file, text, lines, diagnostic, (mark) => style(color, mark), style),
    ...notes.map((note) => `${gutter} = ${note}`),
    ...related.flatMap((each) => [
      `  ${style('cyan', 'note')}: ${plain(each.message)}`,
      ...frame(file, text, lines, each, (mark) => style('cyan', mark), style),
    ]),
  ]
  return rows.join('\n')
}

function frame(
  file: string,
  text: string,
  lines: Lines,
  place: { offset: number; length: number },
  paint: (mark: string) => string,
  style: Style,
): string[] {
  const { line, column, endLine, endColumn } = spanOf(lines, place)
  const start = lines.offsetAt({ line, column: 1 })
  const whole = text.slice(start, lines.offsetAt({ line: line + 1, column: 1 })).replace(/[\r\n]+$/, '')
  const cut = Math.max(0, Math.min(column - 1 - widest / 2, whole.length - widest))
  const shown = whole.slice(cut, cut + widest)
  const at = column - 1 - cut
  const before = (cut > 0 ? '…' : '') + visible(shown.slice(0, at))
  const marked = visible(shown.slice(at, endLine === line ? endColumn - 1 - cut : undefined))
  const source = before + visible(shown.slice(at)) + (cut + widest < whole.length ? '…' : '')
  const gutter = ' '.repeat(String(line).length)
  const marks = '^'.repeat(Math.max(1, widthOf(marked)))
  const further = endLine > line ? style('dim', ` … to line ${endLine}`) : ''
  return [
    `${gutter}${style('dim', '-->')} ${file}:${line}:${column}`,
    `${gutter} ${style('dim', '|')}`,
    `${style('dim', `${line} |`)} ${source}`,
    `${gutter} ${style('dim', '|')} ${' '.repeat(widthOf(before))}${paint(marks)}${further}`,
  ]
}

/** The text of others, each of its characters in its place, without the power to move the cursor. */
function visible(text: string): string {
  return text.replaceAll('\t', '  ').replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '·')
}

const severities: readonly Severity[] = ['error', 'warning', 'hint', 'info']

function summary(file: string, diagnostics: readonly Diagnostic[], style: Style): string {
  const counts = severities.flatMap((severity) => {
    const count = diagnostics.filter((each) => each.severity === severity).length
    if (count === 0) return []
    const noun = severity === 'info' ? 'info' : `${severity}${count === 1 ? '' : 's'}`
    return [style(colors[severity], `${count} ${noun}`)]
  })
  if (counts.length === 0) return `${style('green', 'ok')} ${file}: nothing to report.`
  const fixable = diagnostics.filter(isSafe).length
  return `${style('bold', file)}: ${counts.join(', ')}.${fixable > 0 ? ` ${fixable} can be fixed by --fix.` : ''}`
}

/** Lines and columns from 1, columns in UTF-16 code units, the end behind the last one. */
export type Span = {
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

export function spanOf(lines: Lines, { offset, length }: { offset: number; length: number }): Span {
  const start = lines.positionAt(offset)
  const end = lines.positionAt(offset + length)
  return { ...start, endLine: end.line, endColumn: end.column }
}

import { type Diagnostic, isSafe, Lines, platforms, type Severity } from '@souk/pages'
import { type Format, plain, type Style, widthOf } from './terminal.ts'

const colors = { error: 'red', warning: 'yellow', hint: 'cyan', info: 'dim' } as const

/** Longer lines are truncated around the marked span. */
const maxColumns = 110

/** Renders diagnostics like a compiler: message, code frame, fix and related spans; then a summary line. */
export function renderDiagnostics(
  file: string,
  text: string,
  diagnostics: readonly Diagnostic[],
  style: Style,
): string {
  const source = { file, text, lines: new Lines(text), style }
  const parts = diagnostics.map((diagnostic) => renderDiagnostic(source, diagnostic))
  return [...parts, summary(file, diagnostics, style)].join('\n\n')
}

/** The file of the diagnostics and the style of the output. */
type Source = { readonly file: string; readonly text: string; readonly lines: Lines; readonly style: Style }

function renderDiagnostic(source: Source, diagnostic: Diagnostic): string {
  const { lines, style } = source
  const { severity, code, message, fix, related = [] } = diagnostic
  const color = colors[severity]
  const notes = [
    ...(fix
      ? [`${isSafe(diagnostic) ? style('green', 'fix') : style('cyan', 'suggestion')}: ${plain(fix.title)}`]
      : []),
    ...(diagnostic.platforms.length < platforms.length
      ? [`${style('dim', 'platforms')}: ${diagnostic.platforms.join(', ')}`]
      : []),
  ]
  const gutter = ' '.repeat(String(lines.positionAt(diagnostic.offset).line).length)
  const rows = [
    `${style(color, `${severity}[${code}]`)}: ${style('bold', plain(message))}`,
    ...codeFrame(source, diagnostic, color),
    ...notes.map((note) => `${gutter} = ${note}`),
    ...related.flatMap((each) => [
      `  ${style('cyan', 'note')}: ${plain(each.message)}`,
      ...codeFrame(source, each, 'cyan'),
    ]),
  ]
  return rows.join('\n')
}

function codeFrame(source: Source, range: { offset: number; length: number }, color: Format): string[] {
  const { file, text, lines, style } = source
  const { line, column, endLine, endColumn } = spanOf(lines, range)
  const start = lines.offsetAt({ line, column: 1 })
  const whole = text.slice(start, lines.offsetAt({ line: line + 1, column: 1 })).replace(/(?<![\r\n])[\r\n]+$/, '')
  const cut = Math.max(0, Math.min(column - 1 - maxColumns / 2, whole.length - maxColumns))
  const shown = whole.slice(cut, cut + maxColumns)
  const at = column - 1 - cut
  const before = (cut > 0 ? '…' : '') + visible(shown.slice(0, at))
  const marked = visible(shown.slice(at, endLine === line ? endColumn - 1 - cut : undefined))
  const code = before + visible(shown.slice(at)) + (cut + maxColumns < whole.length ? '…' : '')
  const gutter = ' '.repeat(String(line).length)
  const marks = '^'.repeat(Math.max(1, widthOf(marked)))
  const further = endLine > line ? style('dim', ` … to line ${endLine}`) : ''
  return [
    `${gutter}${style('dim', '-->')} ${file}:${line}:${column}`,
    `${gutter} ${style('dim', '|')}`,
    `${style('dim', `${line} |`)} ${code}`,
    `${gutter} ${style('dim', '|')} ${' '.repeat(widthOf(before))}${style(color, marks)}${further}`,
  ]
}

/** Replaces control characters, which could move the cursor, and preserves the columns of all others. */
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
  return `${style('bold', file)}: ${counts.join(', ')}.${fixable > 0 ? ` ${fixable} fixable with --fix.` : ''}`
}

/** Lines and columns from 1; columns count UTF-16 code units. The end is exclusive. */
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

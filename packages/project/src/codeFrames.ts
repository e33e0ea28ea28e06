import { type Code, type Diagnostic, isSafe, Lines, platforms, type Severity } from '@souk/pages'
import { type Format, plain, type Style, widthOf } from './terminal.ts'

const colors = { error: 'red', warning: 'yellow', hint: 'cyan', info: 'dim' } as const

/** Maximum length of a line. Longer ones are truncated around the marked span. */
const maxColumns = 110

/**
 * Renders diagnostics like a compiler: message, code frame, fix and related spans; then a summary line. Errors come
 * last, because a terminal shows the end. `isVerbose`: also renders those that files of the ecosystem have in
 * hundreds, and those that repeat the message of others, instead of their number.
 */
export function renderDiagnostics(
  file: string,
  text: string,
  diagnostics: readonly Diagnostic[],
  style: Style,
  isVerbose = true,
): string {
  const source = { file, text, lines: new Lines(text), style }
  const isFolded = ({ code }: Diagnostic) => !isVerbose && Object.hasOwn(folded, code)
  const parts = severities.toReversed().flatMap((severity) => {
    const all = diagnostics.filter((each) => each.severity === severity)
    return [
      ...foldedLines(source, all.filter(isFolded)),
      ...renderAll(
        source,
        all.filter((each) => !isFolded(each)),
        isVerbose ? Number.POSITIVE_INFINITY : repeatsShown,
      ),
    ]
  })
  return [...parts, summary(file, diagnostics, style)].join('\n\n')
}

/** Diagnostics with the same message that are rendered one by one, unless verbose. */
const repeatsShown = 3

function renderAll(source: Source, diagnostics: readonly Diagnostic[], limit: number): string[] {
  const groups = new Map<string, Diagnostic[]>()
  for (const each of diagnostics) {
    const key = `${each.code} ${each.message}`
    const group = groups.get(key)
    if (group) group.push(each)
    else groups.set(key, [each])
  }
  return diagnostics.flatMap((each) => {
    const group = groups.get(`${each.code} ${each.message}`)!
    // One more is not longer than its number.
    if (group.length <= limit + 1 || group.slice(0, limit).includes(each)) return [renderDiagnostic(source, each)]
    return each === group[limit] ? [repeatsLine(source, group.slice(limit))] : []
  })
}

function repeatsLine({ lines, style }: Source, diagnostics: readonly Diagnostic[]): string {
  const { severity, code } = diagnostics[0]!
  const places = diagnostics.slice(0, 5).map(({ offset }) => lines.positionAt(offset).line)
  const more = diagnostics.length > places.length ? ', …' : ''
  const message = `${diagnostics.length} more with the same message, in lines ${places.join(', ')}${more}`
  return `${style(colors[severity], `${severity}[${code}]`)}: ${message} ${style('dim', '(--verbose lists them)')}`
}

/** Codes that are rendered as one line, and what they count. */
const folded: Partial<Record<Code, readonly [one: string, several: string]>> = {
  'page-path-form': [
    'path has another form than pages/<dir>/<name>, and works',
    'paths have another form than pages/<dir>/<name>, and work',
  ],
  'key-ecosystem': [
    'key is not part of pages-json, but known to other tools',
    'keys are not part of pages-json, but known to other tools',
  ],
}

function foldedLines({ text, style }: Source, diagnostics: readonly Diagnostic[]): string[] {
  return Object.entries(folded).flatMap(([code, [one, several]]) => {
    const all = diagnostics.filter((each) => each.code === code)
    if (all.length === 0) return []
    const { severity } = all[0]!
    const names = [...new Set(all.map(({ offset, length }) => text.slice(offset, offset + Math.min(length, 40))))]
    const examples = names.slice(0, 3).join(', ') + (names.length > 3 ? ', …' : '')
    const message = `${all.length} ${all.length === 1 ? one : several}: ${plain(examples)}`
    return [`${style(colors[severity], `${severity}[${code}]`)}: ${message} ${style('dim', '(--verbose lists them)')}`]
  })
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
  return [
    `${style('bold', file)}: ${counts.join(', ')}.`,
    ...(fixable > 0 ? [`${fixable} fixable with souk pages check --fix.`] : []),
    ...blockingNote(diagnostics),
  ].join(' ')
}

/** Returns a note with the number of errors that block a release, unless all do. */
function blockingNote(diagnostics: readonly Diagnostic[]): string[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const blocking = errors.filter(({ blocks }) => blocks).length
  if (blocking === errors.length) return []
  return [
    blocking === 0
      ? 'No error blocks a release.'
      : `${blocking} of the errors block${blocking === 1 ? 's' : ''} a release.`,
  ]
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

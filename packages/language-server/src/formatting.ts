import { format } from 'jsonc-parser'
import type { FormattingOptions, Range, TextEdit } from 'vscode-languageserver/node'
import type { OpenFile } from './openFile.ts'

/** Formats white space and preserves comments. Files with syntax errors are not changed. */
export function formattingEdits(file: OpenFile, options: FormattingOptions, range?: Range): TextEdit[] {
  if (file.diagnostics.some(({ code }) => code.startsWith('syntax-'))) return []
  const text = file.config.text
  const from = range && file.document.offsetAt(range.start)
  const span =
    range && from !== undefined ? { offset: from, length: file.document.offsetAt(range.end) - from } : undefined
  const { tabSize, insertSpaces, insertFinalNewline } = options
  return format(text, span, {
    tabSize,
    insertSpaces,
    eol: /\r\n/.test(text) ? '\r\n' : '\n',
    ...(insertFinalNewline && span === undefined && { insertFinalNewline }),
  }).map(({ offset, length, content }) => ({ range: file.rangeOf({ offset, length }), newText: content }))
}

import { type Diagnostic, isSafe, minimalEdit } from '@souk/pages'
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  CodeActionTriggerKind,
  type CreateFile,
  type TextDocumentEdit,
} from 'vscode-languageserver/node'
import { toLsp } from './diagnostics.ts'
import type { OpenFile } from './openFile.ts'
import { documentEdit } from './rename.ts'

export const fixAllKind = `${CodeActionKind.SourceFixAll}.souk`

/** Returns the fixes for a range, and one for the whole file. `canCreateFiles` is a capability of the editor. */
export function codeActionsFor(
  file: OpenFile,
  { range, context }: CodeActionParams,
  canCreateFiles: boolean,
): CodeAction[] {
  // Editors ask with each move of the cursor, but then show no actions for the whole file, which take longer to find.
  const isCursorMove = context.triggerKind === CodeActionTriggerKind.Automatic && !context.only
  const wants = (kind: string) => !context.only || context.only.some((it) => `${kind}.`.startsWith(`${it}.`))
  const from = file.document.offsetAt(range.start)
  const to = file.document.offsetAt(range.end)
  const touched = wants(CodeActionKind.QuickFix)
    ? file.diagnostics.filter(({ offset, length }) => offset <= to && offset + length >= from)
    : []
  return [
    ...touched.flatMap((diagnostic) => quickFixes(file, diagnostic, canCreateFiles)),
    ...(wants(fixAllKind) && !isCursorMove ? fixAllOf(file) : []),
  ]
}

function quickFixes(file: OpenFile, diagnostic: Diagnostic, canCreateFiles: boolean): CodeAction[] {
  const common = { kind: CodeActionKind.QuickFix, diagnostics: [toLsp(file, diagnostic)] }
  if (diagnostic.fix) {
    const { title, edits } = diagnostic.fix
    return [
      { title, ...common, isPreferred: isSafe(diagnostic), edit: { documentChanges: [documentEdit(file, edits)] } },
    ]
  }
  const page = diagnostic.code === 'page-file-missing' && canCreateFiles ? missingPage(file, diagnostic) : undefined
  const uri = page && file.uriOf(`${page}.vue`)
  return uri ? [{ title: `Create ${page}.vue`, ...common, edit: { documentChanges: newPage(uri) } }] : []
}

function missingPage(file: OpenFile, { offset }: Diagnostic): string | undefined {
  const pages = file.config.variants.flatMap(({ model }) => model.pages)
  return pages.find(({ pathNode }) => pathNode.offset === offset)?.path
}

function newPage(uri: string): (CreateFile | TextDocumentEdit)[] {
  const start = { line: 0, character: 0 }
  const newText = '<template>\n  <view></view>\n</template>\n'
  return [
    { kind: 'create', uri, options: { ignoreIfExists: true } },
    { textDocument: { uri, version: null }, edits: [{ range: { start, end: start }, newText }] },
  ]
}

/** Returns a single edit, which preserves the cursor position. */
function fixAllOf(file: OpenFile): CodeAction[] {
  const { text, fixed } = file.fixed
  if (fixed === 0) return []
  return [
    {
      title: 'Apply all safe fixes in this file',
      kind: fixAllKind,
      edit: { documentChanges: [documentEdit(file, [minimalEdit(file.config.text, text)])] },
    },
  ]
}

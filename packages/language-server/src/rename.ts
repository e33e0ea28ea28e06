import { type Edit, pageAt, pageExtensions, renamePage, trimPath } from '@souk/pages'
import {
  ErrorCodes,
  type Range,
  type RenameFile,
  ResponseError,
  type TextDocumentEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver/node'
import type { OpenFile } from './openFile.ts'

/** The path at an offset, without its quotes, and what it is called from the project's root. */
export function preparedRename(
  file: OpenFile,
  offset: number,
): { readonly range: Range; readonly placeholder: string } | undefined {
  const page = pageAt(file.config, offset)
  return page && { range: file.rangeOf({ offset: page.offset + 1, length: page.length - 2 }), placeholder: page.path }
}

/**
 * Renames the page at an offset wherever the file names it and, with `moveFiles`, its files.
 *
 * @throws ResponseError with the reason where it cannot be
 */
export function renamedPage(file: OpenFile, offset: number, name: string, moveFiles: boolean): WorkspaceEdit {
  const page = pageAt(file.config, offset)
  if (page === undefined) throw refusal('Only the path of a page can be renamed.')
  const edits = renamePage(file.config, page.path, name)
  if ('error' in edits) throw refusal(edits.error)
  const moves = moveFiles ? fileMoves(file, page.path, trimPath(name)) : []
  return { documentChanges: [documentEdit(file, edits), ...moves] }
}

export function documentEdit(file: OpenFile, edits: readonly Edit[]): TextDocumentEdit {
  const { uri, version } = file.document
  return {
    textDocument: { uri, version },
    edits: edits.map((edit) => ({ range: file.rangeOf(edit), newText: edit.text })),
  }
}

/** The same for editors that know `changes` alone, which cannot hold operations on files. */
export function withoutVersions({ documentChanges = [] }: WorkspaceEdit): WorkspaceEdit {
  const texts = documentChanges.filter((change): change is TextDocumentEdit => 'textDocument' in change)
  return {
    changes: Object.fromEntries(
      texts.map(({ textDocument, edits }) => [
        textDocument.uri,
        edits.flatMap((edit) => ('newText' in edit ? [{ range: edit.range, newText: edit.newText }] : [])),
      ]),
    ),
  }
}

/** A page may have more than one file: an `.nvue` beside its `.vue`. */
function fileMoves(file: OpenFile, from: string, to: string): RenameFile[] {
  if (from === to) return []
  return pageExtensions.flatMap((extension): RenameFile[] => {
    const [oldUri, newUri] = [file.uriOf(`${from}.${extension}`), file.uriOf(`${to}.${extension}`)]
    const isThere = file.files?.exists(`${from}.${extension}`) === true
    if (!isThere || !oldUri || !newUri) return []
    return [{ kind: 'rename', oldUri, newUri, options: { overwrite: false, ignoreIfExists: true } }]
  })
}

const refusal = (message: string) => new ResponseError(ErrorCodes.InvalidRequest, message)

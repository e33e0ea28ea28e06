import { type Edit, pageAt, pageExtensions, pageFile, renamePage, trimPath } from '@souk/pages'
import {
  ErrorCodes,
  type Range,
  type RenameFile,
  ResponseError,
  type TextDocumentEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver/node'
import type { OpenFile } from './openFile.ts'

/** Returns the range of the page path at an offset, without quotes, and the path from the project root. */
export function prepareRename(
  file: OpenFile,
  offset: number,
): { readonly range: Range; readonly placeholder: string } | undefined {
  const page = pageAt(file.config, offset)
  return page && { range: file.rangeOf({ offset: page.offset + 1, length: page.length - 2 }), placeholder: page.path }
}

/**
 * Renames the page at an offset, all references to it and, with `moveFiles`, its files.
 *
 * @throws ResponseError if the page cannot be renamed, with the reason
 */
export function renamePageAt(file: OpenFile, offset: number, name: string, moveFiles: boolean): WorkspaceEdit {
  const page = pageAt(file.config, offset)
  if (page === undefined) throw invalidRequest('Only page paths can be renamed.')
  const edits = renamePage(file.config, page.path, name)
  if ('error' in edits) throw invalidRequest(edits.error)
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

/** Converts an edit for editors that only support `changes`, without file operations. */
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

/**
 * Moves the files of a page, which may have both a `.vue` and an `.nvue` file.
 *
 * @throws ResponseError if the new path has a file: editors would not move the page, which would then show that file
 */
function fileMoves(file: OpenFile, from: string, to: string): RenameFile[] {
  if (from === to) return []
  const taken = file.files && pageFile(file.files, from) && pageFile(file.files, to)
  if (taken) throw invalidRequest(`The file ${taken} already exists. Move or delete it, or choose another path.`)
  return pageExtensions.flatMap((extension): RenameFile[] => {
    const [oldUri, newUri] = [file.uriOf(`${from}.${extension}`), file.uriOf(`${to}.${extension}`)]
    const exists = file.files?.exists(`${from}.${extension}`) === true
    if (!exists || !oldUri || !newUri) return []
    return [{ kind: 'rename', oldUri, newUri, options: { overwrite: false, ignoreIfExists: true } }]
  })
}

const invalidRequest = (message: string) => new ResponseError(ErrorCodes.InvalidRequest, message)

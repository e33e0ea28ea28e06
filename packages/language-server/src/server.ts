import { hover, platforms, type Targets } from '@souk/pages'
import {
  CodeActionKind,
  type Connection,
  DidChangeWatchedFilesNotification,
  FileChangeType,
  type InitializeParams,
  type InitializeResult,
  MarkupKind,
  ResourceOperationKind,
  TextDocumentSyncKind,
  TextDocuments,
  WatchKind,
  type WorkspaceEdit,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { codeActionsFor, fixAllKind } from './codeActions.ts'
import { completionsAt } from './completion.ts'
import { toLsp } from './diagnostics.ts'
import { formatted } from './formatting.ts'
import { definitionAt, referencesAt } from './navigation.ts'
import { isPagesJson, OpenFile } from './openFile.ts'
import { preparedRename, renamedPage, withoutVersions } from './rename.ts'
import { symbolsOf } from './symbols.ts'

/** How long typing has to pause before the file is checked, in ms. */
const pause = 150

/** `initializationOptions`, all optional, as people write them. */
type Settings = {
  /** The oldest versions to run on, by platform. */
  readonly targets?: unknown
  /** Whether renaming a page moves its files; true unless told. */
  readonly renameFiles?: boolean
}

/** What is no version is left out; 2.6 is one, though no text. */
function targetsOf({ targets }: Settings): Targets {
  const given = new Map(Object.entries(targets ?? {}))
  return Object.fromEntries(
    platforms.flatMap((platform) => {
      const version = given.get(platform)
      return typeof version === 'string' || typeof version === 'number' ? [[platform, String(version)]] : []
    }),
  )
}

/** Answers an editor about every pages.json that it has open. */
export function serve(connection: Connection): void {
  const documents = new TextDocuments(TextDocument)
  const files = new Map<string, OpenFile>()
  const timers = new Map<string, NodeJS.Timeout>()
  let settings: Settings = {}
  let client: InitializeParams['capabilities'] = {}

  connection.onInitialize(({ capabilities, initializationOptions }): InitializeResult => {
    client = capabilities
    settings = typeof initializationOptions === 'object' && initializationOptions !== null ? initializationOptions : {}
    return {
      serverInfo: { name: 'souk-language-server' },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        completionProvider: { triggerCharacters: ['"', '/', ':'] },
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        renameProvider: { prepareProvider: true },
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, fixAllKind] },
        documentFormattingProvider: true,
        documentRangeFormattingProvider: true,
        documentSymbolProvider: true,
      },
    }
  })

  connection.onInitialized(async () => {
    if (!isWatching()) return
    await connection.client.register(DidChangeWatchedFilesNotification.type, {
      watchers: [
        // Files come and go with their folders, which have no extension to watch for.
        { globPattern: '**/*', kind: WatchKind.Create | WatchKind.Delete },
        { globPattern: '**/*.{png,jpg,jpeg,gif,svg,webp}', kind: WatchKind.Change },
      ],
    })
  })

  const isWatching = () => client.workspace?.didChangeWatchedFiles?.dynamicRegistration === true
  const supports = (operation: ResourceOperationKind) =>
    client.workspace?.workspaceEdit?.resourceOperations?.includes(operation) === true
  /** An edit in the form that the editor takes. */
  const written = (edit: WorkspaceEdit) =>
    client.workspace?.workspaceEdit?.documentChanges ? edit : withoutVersions(edit)

  const checkNow = (file: OpenFile) => {
    timers.delete(file.document.uri)
    // An editor that does not tell of files that come and go is not believed about them.
    if (!isWatching()) file.forgetFiles()
    const { uri, version } = file.document
    file.checkedVersion = version
    void connection.sendDiagnostics({ uri, version, diagnostics: file.diagnostics.map((each) => toLsp(file, each)) })
  }
  const checkSoon = (file: OpenFile) => {
    clearTimeout(timers.get(file.document.uri))
    timers.set(file.document.uri, setTimeout(checkNow, pause, file))
  }

  documents.onDidOpen(({ document }) => {
    if (!isPagesJson(document.uri)) return
    const file = new OpenFile(document, targetsOf(settings))
    files.set(document.uri, file)
    checkNow(file)
  })
  documents.onDidChangeContent(({ document }) => {
    const file = files.get(document.uri)
    file?.forgetText()
    if (file && document.version !== file.checkedVersion) checkSoon(file)
  })
  documents.onDidSave(({ document }) => {
    const file = files.get(document.uri)
    file?.forgetFiles()
    if (file) checkSoon(file)
  })
  documents.onDidClose(({ document: { uri } }) => {
    if (!files.delete(uri)) return
    clearTimeout(timers.get(uri))
    timers.delete(uri)
    void connection.sendDiagnostics({ uri, diagnostics: [] })
  })
  connection.onDidChangeWatchedFiles(({ changes }) => {
    if (changes.every(({ uri, type }) => type === FileChangeType.Changed && isPagesJson(uri))) return
    for (const file of files.values()) {
      file.forgetFiles()
      checkSoon(file)
    }
  })

  /** The file and offset that a request is about. */
  const placeOf = (params: { textDocument: { uri: string }; position: { line: number; character: number } }) => {
    const file = files.get(params.textDocument.uri)
    return file && { file, offset: file.document.offsetAt(params.position) }
  }

  connection.onCompletion((params) => {
    const place = placeOf(params)
    return place ? completionsAt(place.file, place.offset) : null
  })
  connection.onHover((params) => {
    const place = placeOf(params)
    const found = place && hover(place.file.config, place.offset)
    return found
      ? { contents: { kind: MarkupKind.Markdown, value: found.markdown }, range: place.file.rangeOf(found) }
      : null
  })
  connection.onDefinition((params) => {
    const place = placeOf(params)
    return (place && definitionAt(place.file, place.offset)) ?? null
  })
  connection.onReferences((params) => {
    const place = placeOf(params)
    return place ? referencesAt(place.file, place.offset, params.context.includeDeclaration) : null
  })
  connection.onPrepareRename((params) => {
    const place = placeOf(params)
    return (place && preparedRename(place.file, place.offset)) ?? null
  })
  connection.onRenameRequest((params) => {
    const place = placeOf(params)
    const moveFiles = supports(ResourceOperationKind.Rename) && settings.renameFiles !== false
    return place ? written(renamedPage(place.file, place.offset, params.newName, moveFiles)) : null
  })
  connection.onCodeAction((params) => {
    const file = files.get(params.textDocument.uri)
    const actions = file && codeActionsFor(file, params, supports(ResourceOperationKind.Create))
    return actions?.map(({ edit, ...action }) => ({ ...action, ...(edit && { edit: written(edit) }) })) ?? null
  })
  connection.onDocumentFormatting(({ textDocument, options }) => {
    const file = files.get(textDocument.uri)
    return file ? formatted(file, options) : null
  })
  connection.onDocumentRangeFormatting(({ textDocument, options, range }) => {
    const file = files.get(textDocument.uri)
    return file ? formatted(file, options, range) : null
  })
  connection.onDocumentSymbol(({ textDocument }) => {
    const file = files.get(textDocument.uri)
    return file ? symbolsOf(file) : null
  })

  documents.listen(connection)
}

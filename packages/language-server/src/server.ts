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
  type ServerCapabilities,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
  TextDocuments,
  WatchKind,
  type WorkspaceEdit,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { codeActionsFor, fixAllKind } from './codeActions.ts'
import { completionsAt } from './completion.ts'
import { toLsp } from './diagnostics.ts'
import { formattingEdits } from './formatting.ts'
import { definitionAt, referencesAt } from './navigation.ts'
import { isPagesJson, OpenFile } from './openFile.ts'
import { prepareRename, renamePageAt, withoutVersions } from './rename.ts'
import { symbolsOf } from './symbols.ts'

/** Delay between the last change and the check, in ms. */
const checkDelay = 150

/** `initializationOptions`; all optional and not yet validated. */
type Settings = {
  /** The oldest supported versions, by platform. */
  readonly targets?: unknown
  /** Renaming a page moves its files. Default: true. */
  readonly renameFiles?: boolean
  /** Default: true. VS Code formats JSON itself, and asks which formatter to use if there are two. */
  readonly provideFormatter?: boolean
}

/** Reads the target versions. A version may be a number; anything else is ignored. */
function targetsOf({ targets }: Settings): Targets {
  const targetVersions = new Map(Object.entries(targets ?? {}))
  return Object.fromEntries(
    platforms.flatMap((platform) => {
      const version = targetVersions.get(platform)
      return typeof version === 'string' || typeof version === 'number' ? [[platform, String(version)]] : []
    }),
  )
}

/** Capabilities and settings of the client. Empty until `initialize`. */
class Client {
  settings: Settings = {}
  #capabilities: InitializeParams['capabilities'] = {}

  initialize({ capabilities, initializationOptions }: InitializeParams): void {
    this.#capabilities = capabilities
    this.settings =
      typeof initializationOptions === 'object' && initializationOptions !== null ? initializationOptions : {}
  }

  get watchesFiles(): boolean {
    return this.#capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true
  }

  supports(operation: ResourceOperationKind): boolean {
    return this.#capabilities.workspace?.workspaceEdit?.resourceOperations?.includes(operation) === true
  }

  /** Converts an edit to the form that the client supports. */
  toSupportedEdit(edit: WorkspaceEdit): WorkspaceEdit {
    return this.#capabilities.workspace?.workspaceEdit?.documentChanges ? edit : withoutVersions(edit)
  }
}

/** Serves every pages.json that the client has open. */
export function serve(connection: Connection): void {
  const client = new Client()
  connection.onInitialize((params): InitializeResult => {
    client.initialize(params)
    return { serverInfo: { name: 'souk-language-server' }, capabilities: capabilitiesFor(client.settings) }
  })
  connection.onInitialized(async () => {
    if (!client.watchesFiles) return
    await connection.client.register(DidChangeWatchedFilesNotification.type, {
      watchers: [
        // Files are created and deleted with their folders, which have no extension.
        { globPattern: '**/*', kind: WatchKind.Create | WatchKind.Delete },
        { globPattern: '**/*.{png,jpg,jpeg,gif,svg,webp}', kind: WatchKind.Change },
        // manifest.json, which may name the theme file, and the texts of `locale`.
        { globPattern: '**/*.json', kind: WatchKind.Change },
      ],
    })
  })
  const files = trackFiles(connection, client)
  handleRequests(connection, client, files)
}

const capabilitiesFor = ({ provideFormatter = true }: Settings): ServerCapabilities => ({
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
  completionProvider: { triggerCharacters: ['"', '/', ':', '@', '%'] },
  hoverProvider: true,
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: { prepareProvider: true },
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, fixAllKind] },
  documentFormattingProvider: provideFormatter,
  documentRangeFormattingProvider: provideFormatter,
  documentSymbolProvider: true,
})

/** Checks open files when they change and publishes their diagnostics. Returns the open files by URI. */
function trackFiles(connection: Connection, client: Client): ReadonlyMap<string, OpenFile> {
  const documents = new TextDocuments(TextDocument)
  const files = new Map<string, OpenFile>()
  const timers = new Map<string, NodeJS.Timeout>()

  const checkNow = (file: OpenFile) => {
    timers.delete(file.document.uri)
    // Without file watching, the cache may be outdated.
    if (!client.watchesFiles) file.invalidateFiles()
    const { uri, version } = file.document
    file.checkedVersion = version
    void connection.sendDiagnostics({ uri, version, diagnostics: file.diagnostics.map((each) => toLsp(file, each)) })
  }
  const checkSoon = (file: OpenFile) => {
    clearTimeout(timers.get(file.document.uri))
    timers.set(file.document.uri, setTimeout(checkNow, checkDelay, file))
  }

  documents.onDidOpen(({ document }) => {
    if (!isPagesJson(document.uri)) return
    const file = new OpenFile(document, targetsOf(client.settings))
    files.set(document.uri, file)
    checkNow(file)
  })
  documents.onDidChangeContent(({ document }) => {
    const file = files.get(document.uri)
    file?.invalidateText()
    if (file && document.version !== file.checkedVersion) checkSoon(file)
  })
  documents.onDidSave(({ document }) => {
    const file = files.get(document.uri)
    file?.invalidateFiles()
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
      file.invalidateFiles()
      checkSoon(file)
    }
  })
  documents.listen(connection)
  return files
}

function handleRequests(connection: Connection, client: Client, files: ReadonlyMap<string, OpenFile>): void {
  const locate = ({ textDocument, position }: TextDocumentPositionParams) => {
    const file = files.get(textDocument.uri)
    return file && { file, offset: file.document.offsetAt(position) }
  }

  connection.onCompletion((params) => {
    const place = locate(params)
    return place ? completionsAt(place.file, place.offset) : null
  })
  connection.onHover((params) => {
    const place = locate(params)
    const found = place && hover(place.file.config, place.offset)
    return found
      ? { contents: { kind: MarkupKind.Markdown, value: found.markdown }, range: place.file.rangeOf(found) }
      : null
  })
  connection.onDefinition((params) => {
    const place = locate(params)
    return (place && definitionAt(place.file, place.offset)) ?? null
  })
  connection.onReferences((params) => {
    const place = locate(params)
    return place ? referencesAt(place.file, place.offset, params.context.includeDeclaration) : null
  })
  connection.onPrepareRename((params) => {
    const place = locate(params)
    return (place && prepareRename(place.file, place.offset)) ?? null
  })
  connection.onRenameRequest((params) => {
    const place = locate(params)
    if (place === undefined) return null
    const moveFiles = client.supports(ResourceOperationKind.Rename) && client.settings.renameFiles !== false
    return client.toSupportedEdit(renamePageAt(place.file, place.offset, params.newName, moveFiles))
  })
  connection.onCodeAction((params) => {
    const file = files.get(params.textDocument.uri)
    const actions = file && codeActionsFor(file, params, client.supports(ResourceOperationKind.Create))
    return (
      actions?.map(({ edit, ...action }) => ({ ...action, ...(edit && { edit: client.toSupportedEdit(edit) }) })) ??
      null
    )
  })
  connection.onDocumentFormatting(({ textDocument, options }) => {
    const file = files.get(textDocument.uri)
    return file ? formattingEdits(file, options) : null
  })
  connection.onDocumentRangeFormatting(({ textDocument, options, range }) => {
    const file = files.get(textDocument.uri)
    return file ? formattingEdits(file, options, range) : null
  })
  connection.onDocumentSymbol(({ textDocument }) => {
    const file = files.get(textDocument.uri)
    return file ? symbolsOf(file) : null
  })
}

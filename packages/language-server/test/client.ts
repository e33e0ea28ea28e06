import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type ClientCapabilities,
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  FileChangeType,
  InitializedNotification,
  InitializeRequest,
  type InitializeResult,
  type Position,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  RegistrationRequest,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type TextDocumentContentChangeEvent,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'

const main = join(import.meta.dirname, '../src/main.ts')
const fromSources = ['--conditions=souk-source', '--disable-warning=ExperimentalWarning', main]

/** Capabilities of an editor that supports everything. */
const editor: ClientCapabilities = {
  workspace: {
    didChangeWatchedFiles: { dynamicRegistration: true },
    workspaceEdit: { documentChanges: true, resourceOperations: ['create', 'rename'] },
  },
}

/** An editor: runs the real server over stdio, with a temporary project. */
export class Client {
  readonly connection: ProtocolConnection
  readonly process: ChildProcess
  readonly folder: string
  readonly published: PublishDiagnosticsParams[] = []
  readonly registrations: unknown[] = []
  server: InitializeResult = { capabilities: {} }
  #waiting: (() => void)[] = []

  static async start(
    capabilities: ClientCapabilities = editor,
    initializationOptions: unknown = {},
    program: string[] = fromSources,
  ): Promise<Client> {
    const folder = await mkdtemp(join(tmpdir(), 'souk-lsp-'))
    const child = spawn(process.execPath, [...program, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] })
    const client = new Client(child, folder)
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`The server ended with status ${code}.`)
    })
    const initialized = client.connection.sendRequest(InitializeRequest.type, {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      capabilities,
      initializationOptions,
    })
    client.server = await Promise.race([initialized, ended])
    ended.catch(() => {})
    await client.connection.sendNotification(InitializedNotification.type, {})
    return client
  }

  constructor(child: ChildProcess, folder: string) {
    this.process = child
    this.folder = folder
    this.connection = createProtocolConnection(
      new StreamMessageReader(child.stdout!),
      new StreamMessageWriter(child.stdin!),
    )
    this.connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
      this.published.push(params)
      for (const wake of this.#waiting.splice(0)) wake()
    })
    this.connection.onRequest(RegistrationRequest.type, (params) => {
      this.registrations.push(...params.registrations)
    })
    this.connection.listen()
  }

  /** Stops the server as editors do and returns its exit status. */
  async stop(): Promise<number | null> {
    const exited = once(this.process, 'exit')
    await this.connection.sendRequest(ShutdownRequest.type)
    await this.connection.sendNotification(ExitNotification.type)
    const [code] = await exited
    this.connection.dispose()
    await rm(this.folder, { recursive: true, force: true })
    return code
  }

  async put(path: string, content = ''): Promise<void> {
    await mkdir(dirname(join(this.folder, path)), { recursive: true })
    await writeFile(join(this.folder, path), content)
  }

  uri(path = 'pages.json'): string {
    return pathToFileURL(join(this.folder, path)).href
  }

  async open(text: string, path = 'pages.json'): Promise<Open> {
    const uri = this.uri(path)
    await this.connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId: 'jsonc', version: 1, text },
    })
    return new Open(this, TextDocument.create(uri, 'jsonc', 1, text))
  }

  /** Notifies the server of created files. */
  async created(...paths: string[]): Promise<void> {
    await this.#notify(paths, FileChangeType.Created)
  }

  /** Notifies the server of changed files. */
  async changed(...paths: string[]): Promise<void> {
    await this.#notify(paths, FileChangeType.Changed)
  }

  async #notify(paths: string[], type: FileChangeType): Promise<void> {
    const changes = paths.map((path) => ({ uri: this.uri(path), type }))
    await this.connection.sendNotification('workspace/didChangeWatchedFiles', { changes })
  }

  /** Waits for diagnostics that match; already published ones count too. */
  async publication(matches: (params: PublishDiagnosticsParams) => boolean): Promise<PublishDiagnosticsParams> {
    for (;;) {
      const found = this.published.findLast(matches)
      if (found) return found
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }
}

/** An open document. */
export class Open {
  readonly client: Client
  #document: TextDocument

  constructor(client: Client, document: TextDocument) {
    this.client = client
    this.#document = document
  }

  get text(): string {
    return this.#document.getText()
  }

  get version(): number {
    return this.#document.version
  }

  get id() {
    return { textDocument: { uri: this.#document.uri } }
  }

  /** Returns the position after some text, or in it: `at('pages/', 3)`. */
  at(text: string, offset = text.length): Position {
    const index = this.text.indexOf(text)
    if (index < 0) throw new Error(`The document does not contain ${text}.`)
    return this.#document.positionAt(index + offset)
  }

  place(text: string, offset?: number) {
    return { ...this.id, position: this.at(text, offset) }
  }

  slice(range: { start: Position; end: Position }): string {
    return this.#document.getText(range)
  }

  positionAt(offset: number): Position {
    return this.#document.positionAt(offset)
  }

  async change(...contentChanges: TextDocumentContentChangeEvent[]): Promise<void> {
    const version = this.version + 1
    this.#document = TextDocument.update(this.#document, contentChanges, version)
    await this.client.connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri: this.#document.uri, version },
      contentChanges,
    })
  }

  async close(): Promise<void> {
    await this.client.connection.sendNotification(DidCloseTextDocumentNotification.type, this.id)
  }

  /** Waits for the diagnostics of the current version. */
  async diagnostics() {
    const { uri } = this.#document
    const { version } = this
    return (await this.client.publication((params) => params.uri === uri && params.version === version)).diagnostics
  }
}

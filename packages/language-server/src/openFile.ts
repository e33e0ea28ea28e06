import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type CheckOptions, check, type Diagnostic, type PagesConfig, readPages, type Targets } from '@souk/pages'
import { type ProjectFiles, projectFiles } from '@souk/project'
import type { Range } from 'vscode-languageserver/node'
import type { TextDocument } from 'vscode-languageserver-textdocument'

/** A pages.json in an editor. What is worked out about its text is kept until the text changes. */
export class OpenFile {
  readonly document: TextDocument
  /** Undefined where the text lies in no folder, as before it is saved. */
  readonly files: ProjectFiles | undefined
  /** The version of the text that the editor was told about last. */
  checkedVersion: number | undefined
  readonly #root: string | undefined
  readonly #targets: Targets
  #config: PagesConfig | undefined
  #diagnostics: readonly Diagnostic[] | undefined

  constructor(document: TextDocument, targets: Targets) {
    this.document = document
    this.#root = folderOf(document.uri)
    this.files = this.#root === undefined ? undefined : projectFiles(this.#root)
    this.#targets = targets
  }

  get config(): PagesConfig {
    this.#config ??= readPages(this.document.getText())
    return this.#config
  }

  get checkOptions(): CheckOptions {
    return { ...(this.files && { files: this.files }), targets: this.#targets }
  }

  get diagnostics(): readonly Diagnostic[] {
    this.#diagnostics ??= check(this.config, this.checkOptions)
    return this.#diagnostics
  }

  forgetText(): void {
    this.#config = undefined
    this.#diagnostics = undefined
  }

  /** Files came, went or changed. */
  forgetFiles(): void {
    this.files?.forget()
    this.#diagnostics = undefined
  }

  /** The address of a file of the project. */
  uriOf(path: string): string | undefined {
    return this.#root === undefined ? undefined : pathToFileURL(`${this.#root}/${path}`).href
  }

  rangeOf({ offset, length }: { readonly offset: number; readonly length: number }): Range {
    return { start: this.document.positionAt(offset), end: this.document.positionAt(offset + length) }
  }
}

/** Undefined where it is none of this machine, as that of a server's share. */
function folderOf(uri: string): string | undefined {
  try {
    return dirname(fileURLToPath(uri))
  } catch {
    return undefined
  }
}

/** Whether a document is one for this server: clients may send every JSON file. */
export function isPagesJson(uri: string): boolean {
  return /(?:^|[/:])pages\.json$/.test(uri)
}

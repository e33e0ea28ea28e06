import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  type CheckOptions,
  check,
  type Diagnostic,
  type FixResult,
  fixText,
  type PagesConfig,
  readPages,
  type Targets,
} from '@souk/pages'
import { type ProjectFiles, projectFiles } from '@souk/project'
import type { Range } from 'vscode-languageserver/node'
import type { TextDocument } from 'vscode-languageserver-textdocument'

/** A pages.json in an editor. Results are cached until the text or the files change. */
export class OpenFile {
  readonly document: TextDocument
  /** Undefined if the document has no folder, for example before it is saved. */
  readonly files: ProjectFiles | undefined
  /** The version whose diagnostics were last sent to the editor. */
  checkedVersion: number | undefined
  readonly #root: string | undefined
  readonly #targets: Targets
  #config: PagesConfig | undefined
  #diagnostics: readonly Diagnostic[] | undefined
  #fixed: FixResult | undefined

  constructor(document: TextDocument, targets: Targets) {
    this.document = document
    this.#root = folderOf(document.uri)
    this.files = this.#root === undefined ? undefined : projectFiles(this.#root)
    this.#targets = targets
  }

  get config(): PagesConfig {
    this.#config ??= readPages(this.document.getText(), { files: this.files })
    return this.#config
  }

  get checkOptions(): CheckOptions {
    return { ...(this.files && { files: this.files }), targets: this.#targets }
  }

  get diagnostics(): readonly Diagnostic[] {
    this.#diagnostics ??= check(this.config, this.checkOptions)
    return this.#diagnostics
  }

  /** The file with all safe fixes. */
  get fixed(): FixResult {
    this.#fixed ??= fixText(this.config.text, this.checkOptions)
    return this.#fixed
  }

  invalidateText(): void {
    this.#config = undefined
    this.#diagnostics = undefined
    this.#fixed = undefined
  }

  invalidateFiles(): void {
    this.files?.forget()
    // The files may define its `@` and `%` names.
    this.invalidateText()
  }

  /** Returns the URI of a file of the project. */
  uriOf(path: string): string | undefined {
    return this.#root === undefined ? undefined : pathToFileURL(`${this.#root}/${path}`).href
  }

  rangeOf({ offset, length }: { readonly offset: number; readonly length: number }): Range {
    return { start: this.document.positionAt(offset), end: this.document.positionAt(offset + length) }
  }
}

/** Returns the folder of a document; undefined if it is not local, such as a network share. */
function folderOf(uri: string): string | undefined {
  try {
    return dirname(fileURLToPath(uri))
  } catch {
    return undefined
  }
}

/** Returns whether a document is a pages.json: clients may open any JSON file. */
export function isPagesJson(uri: string): boolean {
  return /(?:^|[/:])pages\.json$/.test(uri)
}

import type { Finding, Platform } from './diagnostic.ts'
import type { Theme } from './manifest.ts'
import { languagesFor, languagesWithoutFile, localeFolder, type Names } from './names.ts'
import type { Node, StringNode } from './parse/nodes.ts'
import { attributesOf } from './rules/attributes.ts'
import type { Shape, TableId, TextFormat } from './rules/rule.ts'
import { tables } from './rules/tables.ts'

/** Replaces values of a file by those that they stand for (ADR 105). */
export class Interpreter {
  /** Names that cannot be resolved, by the offset of the value. */
  readonly findings = new Map<number, Finding>()
  /** Origin of named values, by offset: a sentence for messages about them. */
  readonly origins = new Map<number, string>()
  readonly #names: Names | undefined
  readonly #themes: Names['themes'][Platform] | undefined
  readonly #theme: Theme
  readonly #languages: readonly string[]
  /** The first text that manifest.json names a language without a file for. */
  #unknownLanguageAt: number | undefined

  /** `names` is undefined if only pages.json is known. They have the same values on all `platforms`. */
  constructor(names: Names | undefined, [platform]: readonly Platform[], shown: { theme: Theme; language?: string }) {
    this.#names = names
    this.#themes = names?.themes[platform!]
    this.#theme = this.#themes?.only ?? shown.theme
    this.#languages = names ? languagesFor(shown.language, names) : []
  }

  /** Interprets a tree, and returns the findings in it. Variants may share objects, which are interpreted once. */
  interpret(root: Node | undefined): Finding[] {
    const found: Finding[] = []
    this.#visit(root, found)
    return found
  }

  #visit(node: Node | undefined, found: Finding[]): void {
    if (node?.kind === 'object') {
      for (const property of node.properties) {
        const { key, value } = property
        if (value.kind === 'string' && value.written === undefined) property.value = this.#valueOf(key.value, value)
        else this.#visit(value, found)
        const finding = this.findings.get(value.offset)
        if (finding) found.push(finding)
      }
    } else if (node?.kind === 'list') {
      for (const item of node.items) this.#visit(item, found)
    }
  }

  #valueOf(key: string, node: StringNode): Node {
    const { value } = node
    if (value.startsWith('@')) return paths.has(key) ? node : this.#themed(key, node)
    if (value.includes('%') && texts.has(key)) return this.#translated(node)
    // Sizes without a unit are in px, as in uni-app.
    const isBare = sizes.has(key) && /^-?(?:\d+(?:\.\d+)?|\.\d+)$/.test(value)
    return isBare ? { ...node, value: `${value}px`, written: value } : node
  }

  #themed(key: string, node: StringNode): Node {
    const name = /^@([\p{L}\w-]+)$/u.exec(node.value)?.[1]
    if (name === undefined) return node
    const values = this.#themes?.values?.[this.#theme]
    const found = values?.values.get(name)
    const file = this.#themes?.file ?? 'theme.json'
    const place = `${file}, under "${this.#theme}"`
    if (found !== undefined) return this.#named(node, found, `The value is that of "${name}" in ${place}.`)
    // A text may begin with this character.
    if (texts.has(key)) return node
    const shown = `"@${name.slice(0, 60)}"`
    if (this.#names === undefined) {
      const message = `${shown} is a name in theme.json, which is not known here, so the default is shown.`
      this.#report(node, { code: 'value-theme', message })
    } else {
      const reason = !values ? `${file}: the file does not exist` : place + (values.isBroken ? hasErrors : '')
      const message = `${shown} is not defined in ${reason}. Until it is, the default applies.`
      this.#report(node, { code: 'theme-name-missing', message })
    }
    return { kind: 'missing', offset: node.offset, end: node.end }
  }

  #translated(node: StringNode): Node {
    const { value, offset, end } = node
    const found = [...new Set(value.match(placeholders))]
    if (found.length === 0) return node
    if (this.#names === undefined) {
      const message = `${quote(found)} ${found.length > 1 ? 'are texts' : 'is a text'} in ${localeFolder}/*.json, which is not known here, so the name is shown.`
      this.#report(node, { code: 'value-locale', message })
      return node
    }
    const isWhole = found[0] === value
    // Without translations, a text may have two percent signs.
    if (!isWhole && this.#languages.length === 0) return node
    const texts = new Map(found.map((placeholder) => [placeholder, this.#textOf(placeholder.slice(1, -1))]))
    const missing = found.filter((placeholder) => texts.get(placeholder)!.text === undefined)
    const lacking = found.find((placeholder) => texts.get(placeholder)!.lacking.length > 0)
    if (missing.length > 0) {
      const where = this.#filesOf(this.#languages) || `${localeFolder}/*.json: there are no such files`
      const message = `${quote(missing)} ${missing.length > 1 ? 'are' : 'is'} not defined in ${where}. Until then, ${isWhole ? 'the text' : 'this part of the text'} is empty.`
      this.#report(node, { code: 'locale-key-missing', message })
      if (isWhole) return { kind: 'missing', offset, end }
    } else if (lacking !== undefined) {
      const files = this.#filesOf(texts.get(lacking)!.lacking)
      const message = `${quote([lacking])} is not defined in ${files}: another language is shown instead.`
      this.#report(node, { code: 'locale-key-missing', message })
    } else this.#checkLanguages(node)
    const text = value.replace(placeholders, (placeholder) => texts.get(placeholder)!.text ?? '')
    return this.#named(node, text, `The value is that of ${quote(found)} in ${localeFolder}/*.json.`)
  }

  /** Reports languages of manifest.json without a file, once. */
  #checkLanguages(node: StringNode): void {
    this.#unknownLanguageAt ??= node.offset
    if (this.#unknownLanguageAt !== node.offset) return
    const unknown = languagesWithoutFile(this.#names!)
    if (unknown.length === 0) return
    const named = unknown.map(([key, name]) => `"${key}": ${quote([name])}`).join(' and ')
    const files = unknown.map(([, name]) => `${localeFolder}/${name.slice(0, 60)}.json`).join(' or ')
    const message = `manifest.json says ${named}, but there is no ${files}: ${localeFolder}/${this.#languages[0]}.json is used.`
    this.#report(node, { code: 'locale-file-missing', message })
  }

  /** Returns the text of a name in the nearest language that has it, and the languages that do not have it. */
  #textOf(name: string): { text: string | undefined; lacking: readonly string[] } {
    const { locales } = this.#names!
    const lacking = this.#languages.filter((language) => !locales.get(language)!.values.has(name))
    const language = this.#languages.find((each) => !lacking.includes(each))
    return { text: language === undefined ? undefined : locales.get(language)!.values.get(name), lacking }
  }

  #filesOf(languages: readonly string[]): string {
    const { locales } = this.#names!
    const files = [...languages].sort()
    return files.map((each) => `${localeFolder}/${each}.json${locales.get(each)!.isBroken ? hasErrors : ''}`).join(', ')
  }

  #named(node: StringNode, value: string, origin: string): StringNode {
    this.origins.set(node.offset, origin)
    return { ...node, value, written: node.value }
  }

  #report({ offset, end }: StringNode, finding: Pick<Finding, 'code' | 'message'>): void {
    this.findings.set(offset, { ...finding, offset, length: end - offset })
  }
}

/** `%key%` as a whole value, where the key may have any characters, or within a text, as in uni-app. */
const placeholders = /^%[^%\s]+%$|%[A-Za-z_][\w.-]*%/g

const hasErrors = ' (which has syntax errors)'

const quote = (names: readonly string[]): string => names.map((name) => `"${name.slice(0, 60)}"`).join(', ')

const sizeFormats: ReadonlySet<TextFormat | undefined> = new Set([
  'length',
  'px',
  'pxOrAuto',
  'pxOrPercent',
  'pxOffset',
  'pxOrFunction',
])

/** Names of attributes that are sizes. */
const sizes: ReadonlySet<string> = namesWhere((shape) => sizeFormats.has(shape.format))

/** Names of attributes that are texts, in which everything is allowed. */
const texts: ReadonlySet<string> = namesWhere(
  ({ format, values }) => (format === undefined && values === undefined) || format === 'fontIcon',
)

/** Names of attributes that are paths, which may begin with `@`. */
const paths: ReadonlySet<string> = new Set(['path', 'pagePath', 'root', 'query'])

/** Returns what kind of name the value of an attribute can be. */
export const nameKindOf = (attribute: string): 'text' | 'theme' | undefined =>
  texts.has(attribute) ? 'text' : paths.has(attribute) ? undefined : 'theme'

function namesWhere(matches: (shape: Shape & { is: 'text' }) => boolean): Set<string> {
  const attributes = (Object.keys(tables) as TableId[]).flatMap((table) => [...attributesOf(table).values()])
  const found = attributes.filter(({ shapes }) => shapes.some((shape) => shape.is === 'text' && matches(shape)))
  return new Set(found.map(({ name }) => name))
}

import { posix } from 'node:path'

/** A citation, link or reference that does not lead anywhere, as `file:line: what is wrong`. */
export type Fault = string

/** The repository's text files by path, relative to its root. */
export type Files = ReadonlyMap<string, string>

const spec = { 'open-api': 'docs/spec/open-api.md', 'pages-json': 'docs/spec/pages-json.md' } as const
type Document = keyof typeof spec

/** White space within a sentence, including a line break inside a comment or a concatenated string. */
const gap = String.raw`(?:[ \t]|\r?\n[ \t]*(?:\*|//|#|--|>)?[ \t]*)+`
/** A section number, or a placeholder for one: `$section`, `${section}`, or `\d` in a regular expression. */
const section = String.raw`§(?:\d+(?:\.\d+)*|[$\\])`
/** A section of another standard, such as `RFC 9110 §10.2.3`. */
const otherStandard = new RegExp(`(?:RFC${gap}\\d+|WHATWG${gap}HTML)${gap}${section}`, 'g')
/** `open-api §4.3`, and lists such as `open-api §1, §4.3 and §6`. */
const citation = new RegExp(
  `\\b(open-api|pages-json)${gap}(${section}(?:(?:,|,?${gap}(?:and|or|to))${gap}${section})*)`,
  'g',
)
/** A link to a section whose text is its number only: `[§4.3](../spec/open-api.md#…)`. */
const specLink = new RegExp(`\\[(${section})\\]\\(\\S*spec/(open-api|pages-json)\\.md[^)\\s]*\\)`, 'g')
const otherForm = new RegExp(`(?:[\\w-]+${gap})?§\\s?[\\d.]*|\\b[Ss]ections?${gap}\\d+\\.\\d[\\d.]*`, 'g')

/** Lists citations of the specification that name a missing section or are not written as `open-api §4.3`. */
export function citationFaults(files: Files): Fault[] {
  const sections = new Map(
    Object.entries(spec).map(([name, path]) => [name as Document, sectionsOf(files.get(path) ?? '')]),
  )
  const faults: Fault[] = []
  for (const [path, text] of files) {
    const report = (offset: number, message: string) => faults.push(`${path}:${lineAt(text, offset)}: ${message}`)
    let rest = text.replace(otherStandard, (cited) => ' '.repeat(cited.length))
    for (const { 0: cited, 1: document, 2: list = '', index } of text.matchAll(citation)) {
      for (const number of list.match(/[\d.]*\d/g) ?? []) {
        if (!sections.get(document as Document)!.has(number)) report(index, `${document} has no §${number}`)
      }
      rest = blank(rest, index, cited.length)
    }
    for (const { 0: link, 1: list = '', 2: document, index } of rest.matchAll(specLink)) {
      for (const number of list.match(/[\d.]*\d/g) ?? []) {
        if (!sections.get(document as Document)!.has(number)) report(index, `${document} has no §${number}`)
      }
      rest = blank(rest, index, link.length)
    }
    const self = Object.entries(spec).find(([, each]) => each === path)?.[0] as Document | undefined
    for (const { 0: found, index } of rest.matchAll(otherForm)) {
      const number = /§(\d+(?:\.\d+)*)/.exec(found)?.[1]
      // The specification cites itself by section alone.
      if (self === undefined) report(index, `write "${found.trim()}" as open-api §… or pages-json §…`)
      else if (number !== undefined && !sections.get(self)!.has(number)) report(index, `${self} has no §${number}`)
    }
  }
  return faults
}

/** Lists references such as `ADR 12` to decisions that are not in `docs/adr`. */
export function adrFaults(files: Files): Fault[] {
  const known = new Set(
    [...files.keys()].flatMap((path) => /^docs\/adr\/(\d{4})-.*\.md$/.exec(path)?.[1] ?? []).map(Number),
  )
  const reference = new RegExp(`\\bADRs?${gap}(\\d+(?:(?:,|,?${gap}and)${gap}\\d+(?![\\d.]* \\w))*)`, 'g')
  const faults: Fault[] = []
  for (const [path, text] of files) {
    for (const { 1: list = '', index } of text.matchAll(reference)) {
      for (const number of list.match(/\d+/g) ?? []) {
        if (!known.has(Number(number))) faults.push(`${path}:${lineAt(text, index)}: there is no ADR ${number}`)
      }
    }
  }
  return faults
}

/** Lists relative links of Markdown files to files, folders (of `folders`) or headings that do not exist. */
export function linkFaults(files: Files, folders: ReadonlySet<string>): Fault[] {
  const faults: Fault[] = []
  for (const [path, text] of files) {
    if (!path.endsWith('.md')) continue
    for (const { 1: target = '', index } of withoutCode(text).matchAll(/\]\(([^()\s]+)\)/g)) {
      if (/^[a-z]+:/i.test(target)) continue
      const [file = '', anchor] = target.split('#')
      const found = file === '' ? path : posix.join(posix.dirname(path), file).replace(/\/$/, '')
      const report = (message: string) => faults.push(`${path}:${lineAt(text, index)}: ${message}`)
      if (!files.has(found) && !folders.has(found)) report(`there is no file ${found}`)
      else if (anchor !== undefined && !anchorsOf(files.get(found) ?? '').has(anchor)) {
        report(`${found} has no heading #${anchor}`)
      }
    }
  }
  return faults
}

/** Returns the section numbers in the headings of a specification. */
function sectionsOf(markdown: string): ReadonlySet<string> {
  return new Set(headingsOf(markdown).flatMap((heading) => /^\d+(?:\.\d+)*/.exec(heading)?.[0] ?? []))
}

/** Returns the anchors that GitHub gives to the headings of a page. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const heading of headingsOf(markdown)) {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-')
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

function headingsOf(markdown: string): string[] {
  return [...withoutCode(markdown).matchAll(/^#{1,6} +(.+?) *$/gm)].map(({ 1: heading = '' }) => heading)
}

/** Blanks fenced code blocks, so that offsets and lines stay the same. */
function withoutCode(markdown: string): string {
  return markdown.replace(/^( *)```[\s\S]*?^\1```/gm, (block) => block.replace(/[^\n]/g, ' '))
}

function blank(text: string, offset: number, length: number): string {
  return text.slice(0, offset) + ' '.repeat(length) + text.slice(offset + length)
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

import type { Explanation, Json, Provenance, Resolved, ResolvedPage } from '@souk/pages'
import { counted, plain, type Style, table } from '../render.ts'

/** Formats the resolved configuration: the values set in the file for each page; defaults are only counted. */
export function renderResolved({ platform, pages, tabBar }: Resolved, style: Style): string {
  const tabs = Array.isArray(tabBar?.list) ? tabBar.list.length : 0
  const heading = `${style('bold', platform)}: ${counted(pages.length, 'page')}${tabs > 0 ? `, ${counted(tabs, 'tab')}` : ''}`
  return [heading, ...pages.map((page) => renderPage(page, style))].join('\n\n')
}

function renderPage({ path, line, isTab, style: values, provenance }: ResolvedPage, style: Style): string {
  const entries = Object.entries(provenance)
  const defaults = entries.filter(([, { from }]) => from === 'default').length
  // Objects are shown by their leaves.
  const isLeaf = (way: string) => !entries.some(([other]) => other.startsWith(`${way}.`) || other.startsWith(`${way}[`))
  const set = entries.filter(([way, { from }]) => from !== 'default' && isLeaf(way))
  const rows = set.map(([way, from]) => [plain(way), show(valueAt(values, way)), style('dim', placeOf(from))])
  return [
    `${style('bold', plain(path))} ${style('dim', `line ${line}${isTab ? ', a tab' : ''}`)}`,
    ...(rows.length > 0 ? [indent(table(['ATTRIBUTE', 'VALUE', 'FROM'], rows, style))] : []),
    style('dim', `  ${rows.length > 0 ? 'and ' : ''}${counted(defaults, 'default')} of the specification`),
  ].join('\n')
}

/** Formats the value of an attribute, the reason, and all places that can set it. */
export function renderExplanation(file: string, explanation: Explanation, style: Style): string {
  const { page, attribute, platform, value, reason, candidates } = explanation
  const rows = candidates.map((each) => [
    each.wins ? style('green', '✓') : ' ',
    each.from,
    each.line === undefined ? `pages-json §${each.section}` : `${file}:${each.line}:${each.column}`,
    show(each.value),
    style('dim', each.why),
  ])
  return [
    `${style('bold', platform)}: ${plain(attribute)} of ${plain(page)} ${value === undefined ? 'has no value' : `is ${style('bold', show(value))}`}`,
    `  ${reason}`,
    ...(rows.length > 0 ? [indent(table(['', 'FROM', 'PLACE', 'VALUE', 'WHY'], rows, style))] : []),
  ].join('\n')
}

function placeOf({ from, line, key }: Provenance): string {
  return `${from}, line ${line}${key?.startsWith('app-plus') ? `, ${plain(key)}` : ''}`
}

function show(value: Json | undefined): string {
  // A terminal cannot display font icons.
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16)}`
  const text = value === undefined ? '–' : plain(JSON.stringify(value)).replace(/[\ue000-\uf8ff]/g, escaped)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

function valueAt(style: Json, way: string): Json | undefined {
  return way.split(/\.|(?=\[)/).reduce<Json | undefined>((value, part) => {
    if (typeof value !== 'object' || value === null) return undefined
    return Array.isArray(value) ? value[Number(part.slice(1, -1))] : value[part]
  }, style)
}
const indent = (text: string) => text.replace(/^/gm, '  ')

import { readFileSync } from 'node:fs'

/** An attribute in a table of docs/spec/pages-json.md, without empty cells. */
export type SpecificationRow = {
  readonly table: string
  readonly section: string
  readonly attribute: string
  readonly type: string
  readonly required?: 'yes' | 'no'
  readonly default?: string
  readonly platform?: string
  readonly since?: string
}

/** The rule table of each table in the specification, by section and, if a section has several, caption. */
const tables: Readonly<Record<string, string>> = {
  '2.1': 'top',
  '2.2': 'page',
  '2.3': 'globalStyle',
  '2.4': 'pageStyle',
  '2.5': 'appPlus',
  '2.6': 'titleNView',
  '2.6.1': 'button',
  '2.6.2': 'backButton',
  '2.6.3': 'searchInput',
  '2.6.4': 'splitLine',
  '2.7': 'tabBar',
  '2.7 `tabBar.list[]`': 'tab',
  '2.7 `iconfont`, of a tab or of the middle button': 'iconfont',
  '2.7 `tabBar.midButton`': 'midButton',
  '2.8': 'subNVue',
  '2.8 `subNVues[].style`': 'subNVueStyle',
  '2.9 `app-plus.pullToRefresh`': 'pullToRefresh',
  '2.10': 'h5',
  '2.11': 'h5TitleNView',
  '2.12': 'shadow',
  '2.13': 'sideWindow',
  '2.14': 'easycom',
  '2.15': 'condition',
  '2.15 `condition.list[]`': 'startMode',
}

const specification = new URL('../../../docs/spec/pages-json.md', import.meta.url)

/** Returns the rows of all attribute tables. A row that names several attributes becomes several. */
export function readSpecification(): SpecificationRow[] {
  const rows: SpecificationRow[] = []
  let section = ''
  let caption = ''
  let columns: string[] | undefined
  for (const line of readFileSync(specification, 'utf8').split('\n')) {
    const heading = /^#+ (\d+(?:\.\d+)*)\.? /.exec(line)
    if (heading) [section, caption] = [heading[1]!, '']
    if (!line.startsWith('|')) {
      columns = undefined
      if (/^`[^`]+`[^:]*:$/.test(line)) caption = line.slice(0, -1)
      continue
    }
    const cells = line
      .trim()
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
    if (cells[0] === 'Attribute') columns = cells
    else if (columns && !/^-+$/.test(cells[0]!)) {
      const cell = (name: string) => cells[columns!.indexOf(name)] || undefined
      const place = caption === '' ? section : `${section} ${caption}`
      for (const attribute of cells[0]!.replaceAll('`', '').split(', ')) {
        const [required, usual, platform, since] = [cell('Required'), cell('Default'), cell('Platform'), cell('Since')]
        rows.push({
          table: tables[place] ?? place,
          section,
          attribute,
          type: cell('Type')!,
          ...(required && { required: required as 'yes' | 'no' }),
          ...(usual && { default: usual }),
          ...(platform && { platform }),
          ...(since && { since }),
        })
      }
    }
  }
  return rows
}

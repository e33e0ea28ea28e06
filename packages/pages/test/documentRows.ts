/** One attribute of a table of the document, its cells word for word; cells that are empty or not there are left out. */
export type DocumentRow = {
  readonly table: string
  readonly section: string
  readonly attribute: string
  readonly type: string
  readonly required?: 'yes' | 'no'
  readonly default?: string
  readonly platform?: string
  readonly since?: string
}

/** Which object of a pages.json a table of the document describes: by section, and where it has several, by the words before it. */
const objects: Readonly<Record<string, string>> = {
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
  '2.7 `list[]` items': 'tab',
  '2.7 `iconfont` (in a list item or in `midButton`)': 'iconfont',
  '2.7 `midButton`': 'midButton',
  '2.8': 'subNVue',
  '2.8 Style': 'subNVueStyle',
  '2.9': 'pullToRefresh',
  '2.10': 'h5',
  '2.11': 'h5TitleNView',
  '2.12': 'shadow',
  '2.13': 'sideWindow',
  '2.14': 'easycom',
  '2.15': 'condition',
  '2.15 `list[]`': 'startMode',
}

/** Reads the attribute tables of the document. A row that names several attributes becomes several. */
export function readDocument(markdown: string): DocumentRow[] {
  const rows: DocumentRow[] = []
  let section = ''
  let words = ''
  let columns: string[] | undefined
  for (const line of markdown.split('\n')) {
    const heading = /^#+ (\d+(?:\.\d+)*)\.? /.exec(line)
    if (heading) [section, words] = [heading[1]!, '']
    if (!line.startsWith('|')) {
      columns = undefined
      if (/^(`[^`]+`[^:]*|Style):$/.test(line)) words = line.slice(0, -1)
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
      const table = objects[words === '' ? section : `${section} ${words}`] ?? `${section} ${words}`
      for (const attribute of cells[0]!.split(', ')) {
        const [required, usual, platform, since] = [cell('Required'), cell('Default'), cell('Platform'), cell('Since')]
        rows.push({
          table,
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

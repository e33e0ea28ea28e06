import type { Reading } from '../config.ts'
import type { PageEntry } from '../model.ts'
import type { ObjectNode } from '../parse/nodes.ts'

/** Pages that the same builds see, all of them with the same globalStyle behind them. */
export type PageGroup = { readonly readings: readonly Reading[]; readonly pages: PageEntry[] }

/** Every page of every reading once, in the first one that sees it. */
export function groupPages(readings: readonly Reading[]): readonly PageGroup[] {
  if (readings.length === 1) return [{ readings, pages: [...readings[0]!.model.pages] }]
  const seen = new Map<ObjectNode, { readonly page: PageEntry; readonly by: Reading[] }>()
  const all: { readonly page: PageEntry; readonly by: Reading[] }[] = []
  for (const reading of readings) {
    for (const page of reading.model.pages) {
      const known = seen.get(page.node)
      if (known?.page.path === page.path && known.by[0]!.model.globalStyle === reading.model.globalStyle) {
        known.by.push(reading)
      } else {
        const entry = { page, by: [reading] }
        seen.set(page.node, entry)
        all.push(entry)
      }
    }
  }
  const groups = new Map<string, PageGroup>()
  for (const { page, by } of all) {
    const signature = by.map((reading) => readings.indexOf(reading)).join()
    const group = groups.get(signature)
    if (group) group.pages.push(page)
    else groups.set(signature, { readings: by, pages: [page] })
  }
  return [...groups.values()]
}

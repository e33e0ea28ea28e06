import type { Variant } from '../config.ts'
import type { PageEntry } from '../model.ts'
import type { ObjectNode } from '../parse/nodes.ts'

/** Pages that the same variants contain, with the same globalStyle. */
export type PageGroup = { readonly variants: readonly Variant[]; readonly pages: PageEntry[] }

/** Groups the pages of all variants. Pages that variants share are listed once. */
export function groupPages(variants: readonly Variant[]): readonly PageGroup[] {
  if (variants.length === 1) return [{ variants, pages: [...variants[0]!.model.pages] }]
  const seen = new Map<ObjectNode, { readonly page: PageEntry; readonly by: Variant[] }>()
  const all: { readonly page: PageEntry; readonly by: Variant[] }[] = []
  for (const variant of variants) {
    for (const page of variant.model.pages) {
      const earlier = seen.get(page.node)
      if (earlier?.page.path === page.path && earlier.by[0]!.model.globalStyle === variant.model.globalStyle) {
        earlier.by.push(variant)
      } else {
        const entry = { page, by: [variant] }
        seen.set(page.node, entry)
        all.push(entry)
      }
    }
  }
  const groups = new Map<string, PageGroup>()
  for (const { page, by } of all) {
    const signature = by.map((variant) => variants.indexOf(variant)).join()
    const group = groups.get(signature)
    if (group) group.pages.push(page)
    else groups.set(signature, { variants: by, pages: [page] })
  }
  return [...groups.values()]
}

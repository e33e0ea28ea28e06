import { asObject, type Json } from '../parse/nodes.ts'
import type { ResolvedPage } from './resolve.ts'

/**
 * Returns the colors of a page's `titleNView` that are not written and so follow the title, as paths in it:
 * `backButton.color`, `buttons[0].colorPressed`. The runtime needs them when the app changes the color of the title.
 */
export function titleFollowers({ provenance }: Pick<ResolvedPage, 'provenance'>): string[] {
  const isDefault = (path: string) => provenance[path]?.from === 'default'
  return Object.keys(provenance).flatMap((path) => {
    const [, inner] = /^[\w-]+\.titleNView\.(subtitleColor|(?:backButton|buttons\[\d+\])\.color)$/.exec(path) ?? []
    if (inner === undefined || !isDefault(path)) return []
    return isDefault(`${path}Pressed`) ? [inner, `${inner}Pressed`] : [inner]
  })
}

/** Returns a page's sub-windows as written: an omitted length has its own meaning (pages-json §2.8). */
export function writtenSubWindows({ style, provenance }: Pick<ResolvedPage, 'style' | 'provenance'>): Json[] {
  const all = asObject(style['app-plus'])?.subNVues
  return Array.isArray(all) ? (withoutDefaults(all, 'app-plus.subNVues', provenance) as Json[]) : []
}

function withoutDefaults(value: Json, path: string, provenance: ResolvedPage['provenance']): Json {
  if (Array.isArray(value)) {
    return value.map((item, index) => withoutDefaults(item, `${path}[${index}]`, provenance))
  }
  const object = asObject(value)
  if (object === undefined) return value
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, inner]) => {
      const innerPath = `${path}.${key}`
      return provenance[innerPath]?.from === 'default' ? [] : [[key, withoutDefaults(inner, innerPath, provenance)]]
    }),
  )
}

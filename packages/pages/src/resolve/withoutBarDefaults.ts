import { asObject, type Json, type JsonObject } from '../parse/nodes.ts'
import type { Provenance } from './provenance.ts'
import type { ResolvedPage } from './resolve.ts'

/**
 * Returns the style of a page with a `titleNView` that contains only what the file sets for it. The runtime has the
 * defaults (`defaults.generated.ts`), and colors of parts that are not set follow the title when the app changes it.
 */
export function withoutBarDefaults({ style, provenance }: Pick<ResolvedPage, 'style' | 'provenance'>): JsonObject {
  const node = asObject(style.h5) ? 'h5' : 'app-plus'
  const outer = asObject(style[node])
  const bar = asObject(outer?.titleNView)
  if (outer === undefined || bar === undefined) return style
  return { ...style, [node]: { ...outer, titleNView: withoutDefaults(bar, `${node}.titleNView`, provenance) } }
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
      const origin = provenance[innerPath]
      const isSet = origin?.from !== 'default' && !isOfPage(origin)
      return isSet ? [[key, withoutDefaults(inner, innerPath, provenance)]] : []
    }),
  )
}

/** Returns whether a `navigationBar…` key has decided the value of a titleNView. */
const isOfPage = (origin: Provenance | undefined) =>
  origin?.key?.split('.').at(-1)?.startsWith('navigationBar') === true

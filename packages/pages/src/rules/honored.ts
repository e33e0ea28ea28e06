import type { Platform } from '../diagnostic.ts'
import { type Attribute, attributesOf } from './attributes.ts'
import type { TableId } from './rule.ts'

// Keys that uni-app honors where pages-json does not define them. Souk honors them too (ADR 316).

/**
 * Keys of the objects in a style that count on a platform, nearest first. On H5, `app-plus` counts after `h5`
 * (pages-json §2.10); uni-app also writes `web` and `app`.
 */
export const platformKeys: Readonly<Record<Platform, readonly string[]>> = {
  H5: ['web', 'h5', 'app', 'app-plus'],
  App: ['app', 'app-plus'],
  'Mini App': ['app', 'app-plus'],
}

const h5Keys: ReadonlySet<string> = new Set(['web', 'h5'])

const allPlatformKeys: ReadonlySet<string> = new Set(platformKeys.H5)

/** Returns whether a key of a style holds what counts on some platform only. */
export const isPlatformKey = (key: string): boolean => allPlatformKeys.has(key)

/** Returns whether an object with this key counts as `app-plus` rather than as `h5`. */
export const isAppPlusKey = (key: string): boolean => !h5Keys.has(key)

/** Keys of a style that count as those of `app-plus`, such as `titleNView`. */
export const directKeys: ReadonlySet<string> = new Set(
  [...attributesOf('appPlus').keys()].filter((key) => !attributesOf('pageStyle').has(key)),
)

/** Keys of `app-plus` and `h5` that are their own attributes; their other keys override those of the style. */
export const platformObjectKeys: ReadonlySet<string> = new Set([
  ...platformKeys.H5,
  ...attributesOf('appPlus').keys(),
  ...attributesOf('h5').keys(),
])

type HonoredKey = { readonly attribute: Attribute; readonly note: string }

const cache = new Map<TableId, ReadonlyMap<string, HonoredKey>>()

/** Returns the attribute of a key, including keys that only uni-app defines. */
export function attributeFor(table: TableId, key: string): Attribute | undefined {
  return attributesOf(table).get(key) ?? honoredKeys(table).get(key)?.attribute
}

/** Returns the keys of an object that are not in its table, but that Souk honors. */
export function honoredKeys(table: TableId): ReadonlyMap<string, HonoredKey> {
  const cached = cache.get(table)
  if (cached) return cached
  const keys = new Map(namesHonoredIn(table))
  cache.set(table, keys)
  return keys
}

function namesHonoredIn(table: TableId): [string, HonoredKey][] {
  const own = attributesOf(table)
  const alias = (key: string, name: string): [string, HonoredKey] => [
    key,
    { attribute: own.get(name)!, note: `It counts as \`${name}\`.` },
  ]
  switch (table) {
    case 'top':
      return [alias('subpackages', 'subPackages')]
    case 'globalStyle':
    case 'pageStyle':
      return [alias('web', 'h5'), alias('app', 'app-plus'), ...[...directKeys].map(directKey)]
    case 'appPlus':
    case 'h5':
      return [...attributesOf('pageStyle')]
        .filter(([key]) => !platformObjectKeys.has(key))
        .map(([key, attribute]) => [key, { attribute, note: `It overrides \`${key}\` of the style.` }])
    default:
      return []
  }
}

const directKey = (key: string): [string, HonoredKey] => [
  key,
  { attribute: attributesOf('appPlus').get(key)!, note: `It counts as \`app-plus.${key}\`.` },
]

import { type ComputedRef, computed, reactive } from 'vue'
import { type LocationQueryRaw, useRoute, useRouter } from 'vue-router'

/** Query string codec of a filter. `read` returns undefined for an invalid text. */
export interface UrlFilter<T> {
  read(text: string): T | undefined
  write(value: T): string
}

export function textFilter(pattern: RegExp): UrlFilter<string> {
  return { read: (text) => (pattern.test(text) ? text : undefined), write: (value) => value }
}

export const flagFilter: UrlFilter<boolean> = {
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  write: String,
}

/** Non-negative integers: amounts, user ids, times. */
export const numberFilter: UrlFilter<number> = {
  read: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined),
  write: String,
}

export function oneOf<T extends string>(allowed: readonly T[]): UrlFilter<T> {
  return { read: (text) => allowed.find((value) => value === text), write: (value) => value }
}

/** Returns a filter for several of the allowed values, separated by commas. */
export function someOf<T extends string | number>(allowed: readonly T[]): UrlFilter<T[]> {
  return {
    read(text) {
      const found = allowed.filter((value) => text.split(',').includes(String(value)))
      return found.length > 0 ? found : undefined
    },
    write: (values) => values.join(','),
  }
}

/** Part of a text that a list is searched for. The server accepts up to 64 characters. */
export const searchFilter: UrlFilter<string> = {
  ...textFilter(/^.{1,64}$/),
  write: (text) => text.slice(0, 64).toWellFormed(),
}
export const appidFilter = textFilter(/^[a-z][a-z0-9]{14}$/)
/** Time range, in ms. */
export const timeFilters = { from: numberFilter, to: numberFilter }

type Fields = Record<string, { read(text: string): unknown; write(value: never): string }>
type FilterValues<F extends Fields> = {
  -readonly [Key in keyof F]?: NonNullable<ReturnType<F[Key]['read']>> | undefined
}

export interface UrlFilters<F extends Fields> {
  /** The value of each filter; undefined if it is not set. Writing undefined or null removes it. */
  filters: FilterValues<F>
  values: ComputedRef<FilterValues<F>>
  /** Watch source that changes with the filter values. */
  key: () => string
  /** Returns the number of active filters among `names` (default: all). */
  count(names?: readonly (keyof F)[]): number
  /** Sets filters; undefined and null remove a filter. */
  set(changes: { [Key in keyof F]?: FilterValues<F>[Key] | null }): void
  clear(): void
}

/** Stores the filters of a page in its query string, so that links preserve them. */
export function useUrlFilters<F extends Fields>(fields: F): UrlFilters<F> {
  const route = useRoute()
  const router = useRouter()
  const page = route.path
  const names = Object.keys(fields) as (keyof F & string)[]

  const values = computed<FilterValues<F>>((before) => {
    // Ignores the query string of the next page during navigation.
    if (route.path !== page && before) return before
    const found: Record<string, unknown> = {}
    for (const name of names) {
      const text = route.query[name]
      const value = typeof text === 'string' ? fields[name]?.read(text) : undefined
      if (value !== undefined) found[name] = value
    }
    return found as FilterValues<F>
  })

  /** Query string of a navigation that has not ended yet. */
  let pending: LocationQueryRaw | undefined

  async function go(changed: Record<string, unknown>): Promise<void> {
    // A response may arrive after the page was left.
    if (route.path !== page) return
    const query: LocationQueryRaw = { ...(pending ?? route.query) }
    for (const [name, value] of Object.entries(changed)) {
      if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)) {
        delete query[name]
      } else query[name] = fields[name]?.write(value as never) ?? null
    }
    pending = query
    try {
      await router.replace({ query, hash: route.hash })
    } finally {
      if (pending === query) pending = undefined
    }
  }

  const refOf = (name: keyof F & string) =>
    computed({ get: () => values.value[name], set: (value) => void go({ [name]: value }) })
  const filters: Record<string, unknown> = reactive(Object.fromEntries(names.map((name) => [name, refOf(name)])))

  return {
    filters: filters as FilterValues<F>,
    values,
    key: () => JSON.stringify(values.value),
    count: (some = names) => some.filter((name) => values.value[name] !== undefined).length,
    set: (changes) => void go(changes),
    clear: () => void go(Object.fromEntries(names.map((name) => [name, undefined]))),
  }
}

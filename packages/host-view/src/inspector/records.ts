import type {
  AnswerEntry,
  CallEntry,
  ConsoleEntry,
  InspectedPage,
  InspectionEntry,
  LaunchMark,
  RequestEntry,
  ResponseEntry,
  StorageEntry,
} from '@souk/contract/inspection'
import { reactive, shallowReactive } from 'vue'

/** A request or call, with its end once it is known. */
export type RequestRow = RequestEntry & { end?: ResponseEntry }
type CallRow = CallEntry & { end?: AnswerEntry }

/** The data of a mini app in an inspector. Reactive. */
export interface InspectionRecords {
  readonly console: readonly ConsoleEntry[]
  readonly requests: readonly RequestRow[]
  readonly calls: readonly CallRow[]
  readonly storage: StorageEntry['items']
  readonly pages: readonly InspectedPage[]
  readonly marks: ReadonlyMap<LaunchMark, number>
  /** False until the agent in the frame has reported something. */
  readonly hasAgent: boolean
  add(entries: readonly InspectionEntry[]): void
  clear(list: 'console' | 'requests' | 'calls'): void
}

/** Limits of each list; the oldest entries are dropped first. `size` in characters. */
export const recordLimits = { count: 500, size: 4 * 1024 ** 2 } as const

export function createRecords(): InspectionRecords {
  const lists = {
    console: createList<ConsoleEntry>(),
    requests: createList<RequestRow>(),
    calls: createList<CallRow>(),
  }
  const marks = shallowReactive(new Map<LaunchMark, number>())
  const state = shallowReactive<Pick<InspectionRecords, 'storage' | 'pages' | 'hasAgent'>>({
    storage: [],
    pages: [],
    hasAgent: false,
  })

  function addOne(entry: InspectionEntry): void {
    switch (entry.kind) {
      case 'start':
        marks.clear()
        for (const list of Object.values(lists)) list.clear()
        Object.assign(state, { storage: [], pages: [], hasAgent: false })
        break
      case 'mark':
        marks.set(entry.mark, entry.time)
        break
      case 'console':
        lists.console.add(entry)
        break
      case 'request':
        lists.requests.add(reactive<RequestRow>(entry))
        break
      case 'response':
        lists.requests.change(({ id }) => id === entry.id, { end: entry })
        break
      case 'call':
        lists.calls.add(reactive<CallRow>(entry))
        break
      case 'answer':
        lists.calls.change(({ id }) => id === entry.id, { end: entry })
        break
      case 'storage':
        Object.assign(state, { storage: entry.items, hasAgent: true })
        break
      case 'pages':
        Object.assign(state, { pages: entry.pages, hasAgent: true })
        break
    }
  }

  return {
    console: lists.console.rows,
    requests: lists.requests.rows,
    calls: lists.calls.rows,
    marks,
    get storage() {
      return state.storage
    },
    get pages() {
      return state.pages
    },
    get hasAgent() {
      return state.hasAgent
    },
    add: (entries) => entries.forEach(addOne),
    clear: (list) => lists[list].clear(),
  }
}

interface BoundedList<T> {
  readonly rows: readonly T[]
  add(row: T): void
  change(find: (row: T) => boolean, changes: Partial<T>): void
  clear(): void
}

function createList<T extends object>(): BoundedList<T> {
  const rows = shallowReactive<T[]>([])
  /** Sizes of the rows, in the same order. */
  const sizes: number[] = []
  let total = 0
  const drop = () => {
    while (rows.length > recordLimits.count || (total > recordLimits.size && rows.length > 1)) {
      rows.shift()
      total -= sizes.shift()!
    }
  }
  const sizeOf = (row: object) => JSON.stringify(row).length
  return {
    rows,
    add(row) {
      const size = sizeOf(row)
      rows.push(row)
      sizes.push(size)
      total += size
      drop()
    },
    change(find, changes) {
      const index = rows.findLastIndex(find)
      if (index < 0) return
      Object.assign(rows[index]!, changes)
      const size = sizeOf(rows[index]!)
      total += size - sizes[index]!
      sizes[index] = size
      drop()
    },
    clear() {
      rows.splice(0)
      sizes.splice(0)
      total = 0
    },
  }
}

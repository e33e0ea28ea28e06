import { readStoredJson, writeStored } from '@souk/web'
import { computed, shallowRef, watch } from 'vue'
import { user } from '../api/session.ts'

/** Recent and pinned mini apps of a user, by appid. They stay in this browser. */
interface Shelf {
  /** The mini app opened last comes first. */
  recent: readonly string[]
  pinned: readonly string[]
}

const maxRecent = 8
const storageKey = () => `souk.host.shelf.${user.value?.uid}`

const shelf = shallowRef<Shelf>(readShelf())
watch(
  () => user.value?.uid,
  () => {
    shelf.value = readShelf()
  },
)
addEventListener('storage', ({ key }) => {
  if (key === storageKey()) shelf.value = readShelf()
})

/** Appids of the mini apps that the user opened last. */
export const recent = computed(() => shelf.value.recent)
/** Appids of the mini apps that the user has pinned. */
export const pinned = computed(() => shelf.value.pinned)

/** Records that the user has opened a mini app. */
export function recordOpening(appid: string): void {
  change({ recent: [appid, ...recent.value.filter((each) => each !== appid)].slice(0, maxRecent) })
}

/** Pins a mini app to the home page, or unpins it. */
export function togglePin(appid: string): void {
  const others = pinned.value.filter((each) => each !== appid)
  change({ pinned: others.length < pinned.value.length ? others : [...others, appid] })
}

function change(now: Partial<Shelf>): void {
  shelf.value = { ...shelf.value, ...now }
  writeStored(storageKey(), JSON.stringify(shelf.value))
}

function readShelf(): Shelf {
  const { recent, pinned } = (readStoredJson(storageKey()) ?? {}) as Partial<Record<keyof Shelf, unknown>>
  return { recent: appids(recent), pinned: appids(pinned) }
}

/** Reads stored appids, which may be from another version of the host. */
function appids(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

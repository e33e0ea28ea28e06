import type { InstallationList, ProjectList } from '@souk/contract'
import { minute, second } from '@souk/contract'
import { onScopeDispose, type Ref, ref } from 'vue'
import { addressOf } from './client.ts'

/** Lists are no longer reloaded after this time without input, as that would keep the session from expiring. */
const maxIdle = 15 * minute
/** Delay before connecting again after an error response. The browser does this itself after a lost connection only. */
const retryDelay = 30 * second
const inputs = ['pointerdown', 'keydown', 'wheel'] as const

/** A list of a project, or of all projects. */
export type FollowedList = { projectId: string; list: ProjectList } | { list: InstallationList }

interface Follower {
  list: FollowedList['list']
  reload(): void
}

/** A stream of changes, which all followers in the page share: browsers open few connections to a server. */
interface Stream {
  connected: Ref<boolean>
  followers: Set<Follower>
  end(): void
}

const streams = new Map<string, Stream>()

/**
 * Calls `reload` when a list has changed, as long as the page is visible and used. Returns whether the
 * server reports changes now.
 */
export function useChanges(followed: FollowedList, reload: () => void): Ref<boolean> {
  const url =
    'projectId' in followed
      ? addressOf('watchProject', { projectId: followed.projectId })
      : addressOf('watchInstallation', {})
  const follower = { list: followed.list, reload }
  const stream = streams.get(url) ?? startStream(url)
  streams.set(url, stream)
  stream.followers.add(follower)
  onScopeDispose(() => {
    stream.followers.delete(follower)
    if (stream.followers.size > 0) return
    streams.delete(url)
    stream.end()
  })
  return stream.connected
}

function startStream(url: string): Stream {
  const connected = ref(false)
  const followers = new Set<Follower>()
  let source: EventSource | undefined
  let idle: ReturnType<typeof setTimeout> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  /** True if changes may have been missed, at first between the first reading of the lists and the stream. */
  let missed = true

  function reloadAll(): void {
    for (const { reload } of followers) reload()
  }
  function open(): void {
    if (source || document.hidden) return
    source = new EventSource(url)
    source.addEventListener('open', () => {
      connected.value = true
      if (missed) reloadAll()
      missed = false
    })
    source.addEventListener('error', () => {
      connected.value = false
      missed = true
      if (source?.readyState === EventSource.CLOSED) retry = setTimeout(reopen, retryDelay)
    })
    source.addEventListener('changed', ({ data }: MessageEvent<string>) => {
      const { lists } = JSON.parse(data) as { lists: FollowedList['list'][] }
      for (const { list, reload } of followers) if (lists.includes(list)) reload()
    })
    source.addEventListener('resync', reloadAll)
  }
  function reopen(): void {
    source = undefined
    open()
  }
  function close(): void {
    clearTimeout(retry)
    if (source) missed = true
    source?.close()
    source = undefined
    connected.value = false
  }
  function used(): void {
    clearTimeout(idle)
    idle = setTimeout(close, maxIdle)
    open()
  }
  function shownOrHidden(): void {
    if (document.hidden) close()
    else used()
  }

  used()
  document.addEventListener('visibilitychange', shownOrHidden)
  for (const input of inputs) window.addEventListener(input, used, { passive: true })
  return {
    connected,
    followers,
    end() {
      close()
      clearTimeout(idle)
      document.removeEventListener('visibilitychange', shownOrHidden)
      for (const input of inputs) window.removeEventListener(input, used)
    },
  }
}

import { readStoredJson, writeStored } from '@souk/web'
import { onSessionLost } from './client.ts'
import { onSessionChanged, type Session, setSession } from './session.ts'

/** Restores the session of this browser, and stores it when it changes. Imported before what depends on the user. */

/** Key in localStorage, which mini apps cannot read because their frames have other origins. */
const storageKey = 'souk.host.session'

setSession(readSession())
onSessionChanged((now) => writeStored(storageKey, now && JSON.stringify(now)))
onSessionLost((token) => {
  // Another window may have signed in, and its event not yet have arrived.
  const stored = readSession()
  setSession(stored?.token === token ? undefined : stored)
})
// Another tab signed in or out. To store it again changes nothing.
addEventListener('storage', ({ key }) => {
  if (key === storageKey || key === null) setSession(readSession())
})
// The page was in the browser's back/forward cache, where it gets no events.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) setSession(readSession())
})

function readSession(): Session | undefined {
  return readStoredJson(storageKey) as Session | undefined
}

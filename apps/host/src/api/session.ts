import { computed, shallowRef } from 'vue'
import { readStoredJson } from '../storedJson.ts'
import { call, onSessionLost, type Result, setBearer } from './client.ts'

export type HostUser = Result<'me'>

interface Session {
  token: string
  user: HostUser
}

/** Key in localStorage, which mini apps cannot read because their frames have other origins. */
const storageKey = 'souk.host.session'

const session = shallowRef<Session | undefined>(readSession())
setBearer(session.value?.token)
onSessionLost(() => setSession(undefined))
// Another tab signed in or out.
addEventListener('storage', ({ key }) => {
  if (key !== storageKey && key !== null) return
  session.value = readSession()
  setBearer(session.value?.token)
})

/** The signed-in user, if any. */
export const user = computed(() => session.value?.user)

/** True if the installation is a sandbox: mock users, an adjustable clock, selectable payment outcomes. */
export const isSandbox = document.querySelector<HTMLMetaElement>('meta[name=souk-environment]')?.content !== 'live'

/** Signs in as a mock user of the sandbox. @throws Problem */
export async function signInAs(uid: number): Promise<void> {
  const { session: token, user } = await call('signIn', { uid })
  setSession({ token, user })
}

/** Signs in with the query string that a provider has added to the redirect URL. @throws Problem */
export async function completeSignIn(response: string): Promise<void> {
  const { session: token, user } = await call('completeSignIn', { response })
  setSession({ token, user })
}

/** Ends the session locally, and on the server if it can be reached, and opens the sign-out page of its provider. */
export async function signOut(): Promise<void> {
  const ended = call('signOut').catch(() => undefined)
  setSession(undefined)
  const signedOut = await ended
  if (signedOut?.signOutUrl) location.assign(signedOut.signOutUrl)
}

function setSession(now: Session | undefined): void {
  session.value = now
  setBearer(now?.token)
  if (now) localStorage.setItem(storageKey, JSON.stringify(now))
  else localStorage.removeItem(storageKey)
}

function readSession(): Session | undefined {
  return readStoredJson(storageKey) as Session | undefined
}

import { computed, shallowRef } from 'vue'
import { call, type Result, setBearer } from './client.ts'

export type HostUser = Result<'me'>

export interface Session {
  token: string
  user: HostUser
}

/** In memory only. The host application stores it, see storedSession.ts; an embedded mini app does not (ADR 339). */
const session = shallowRef<Session>()

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

/** Counts the sign-ins and sign-outs that have begun. */
let attempts = 0

/** Keeps a sign-out whose answer arrives late from opening the page of its provider over the sign-in. */
export function beginSignIn(): void {
  attempts++
}

/** Ends the session locally, and on the server if it can be reached, and opens the sign-out page of its provider. */
export async function signOut(): Promise<void> {
  const attempt = ++attempts
  const ended = call('signOut').catch(() => undefined)
  setSession(undefined)
  const signedOut = await ended
  if (signedOut?.signOutUrl && attempt === attempts && !user.value) location.assign(signedOut.signOutUrl)
}

let changed: (now: Session | undefined) => void = () => {}

/** Registers the callback for sign-ins and sign-outs, with which the session is stored. */
export function onSessionChanged(callback: typeof changed): void {
  changed = callback
}

export function setSession(now: Session | undefined): void {
  session.value = now
  setBearer(now?.token, now?.user.uid)
  changed(now)
}

import { computed, shallowRef } from 'vue'
import { kept } from '../storedJson.ts'
import { call, onSessionLost, type Result, useBearer } from './client.ts'

export type HostUser = Result<'me'>

interface Session {
  token: string
  user: HostUser
}

/** Kept in this browser, out of reach of mini apps, whose frames have origins of their own. */
const remembered = 'souk.host.session'

const session = shallowRef<Session | undefined>(stored())
useBearer(session.value?.token)
onSessionLost(() => keep(undefined))
// Another tab of this browser signed in or out.
addEventListener('storage', ({ key }) => {
  if (key !== remembered && key !== null) return
  session.value = stored()
  useBearer(session.value?.token)
})

/** Who is signed in; undefined: nobody. */
export const user = computed(() => session.value?.user)

/** Whether the installation is a sandbox: mock users, a clock that can be moved, payments whose outcome one chooses. */
export const isSandbox = document.querySelector<HTMLMetaElement>('meta[name=souk-environment]')?.content !== 'live'

/** Signs in as a mock user of the sandbox. @throws Problem */
export async function signInAs(uid: number): Promise<void> {
  const { session: token, user } = await call('signIn', { uid })
  keep({ token, user })
}

/** Ends the session here, and at the server where it can be reached. */
export async function signOut(): Promise<void> {
  const ended = call('signOut').catch(() => {})
  keep(undefined)
  await ended
}

function keep(now: Session | undefined): void {
  session.value = now
  useBearer(now?.token)
  if (now) localStorage.setItem(remembered, JSON.stringify(now))
  else localStorage.removeItem(remembered)
}

function stored(): Session | undefined {
  return kept(remembered) as Session | undefined
}

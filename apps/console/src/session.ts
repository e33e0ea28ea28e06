import { type Action, may } from '@souk/contract'
import { asProblem } from '@souk/web'
import { computed, ref, shallowRef } from 'vue'
import { call, type OperationId, onUnauthenticated, type Result, useCsrf } from './api/client.ts'
import { chosenLocale, setLocale } from './i18n/index.ts'

export type Session = Result<'getSession'>
export type Project = Result<'getProject'>

/** Who is signed in; undefined: nobody. */
export const session = shallowRef<Session>()
/** The projects that the signed-in account may see, by name. */
export const projects = shallowRef<readonly Project[]>([])
/** Whether the installation is a sandbox, where that is known. */
export const isSandbox = computed(() => session.value?.environment === 'sandbox')

/** How far the sandbox's clock is ahead of the real time, ms. Whatever moves the clock sets it. */
export const clockOffset = ref(0)

/** Now by the clock of trades, callbacks and messages, which a sandbox can move. Accounts and logs keep real time. */
export function domainNow(): number {
  return Date.now() + clockOffset.value
}

let loading: Promise<void> | undefined

/** Asks once who is signed in; later calls wait for the same answer. */
export function loadSession(): Promise<void> {
  loading ??= readSession()
  return loading
}

async function readSession(): Promise<void> {
  try {
    await enter(await call('getSession'))
  } catch (error) {
    const { code } = asProblem(error)
    if (code === 'session_invalid' || code === 'admin_token_invalid') return
    loading = undefined
    throw error
  }
}

/**
 * Set while the session has ended and its page is still open: what was called then waits for somebody to sign in again, so
 * that nothing that was typed is lost. True where it is the same account.
 */
export const ended = shallowRef<PromiseWithResolvers<boolean>>()

onUnauthenticated(async (code: string, id: OperationId) => {
  const before = session.value
  if (!before || id === 'consoleSignOut') return false
  if (code === 'session_invalid') {
    ended.value ??= Promise.withResolvers()
    return ended.value.promise
  }
  // Signed in again in another tab: the cookie is shared, the token that goes with it is not.
  const now = await call('getSession')
  if (now.csrfToken === before.csrfToken || now.account.accountId !== before.account.accountId) return false
  useCsrf(now.csrfToken)
  session.value = now
  return true
})

/** Goes on with a session just begun. */
export async function enter(begun: Session): Promise<void> {
  const same = begun.account.accountId === session.value?.account.accountId
  useCsrf(begun.csrfToken)
  session.value = begun
  ended.value?.resolve(same)
  ended.value = undefined
  loading = Promise.resolve()
  // What was chosen in this browser counts more than what the account says.
  if (!chosenLocale()) await setLocale(begun.account.language, false)
  await Promise.all([reloadProjects(), begun.environment === 'sandbox' ? readClock() : undefined])
}

async function readClock(): Promise<void> {
  clockOffset.value = (await call('getClock')).offset
}

/** Reads the projects anew, after one was made, renamed, joined or left. */
export async function reloadProjects(): Promise<void> {
  projects.value = await call('listProjects')
}

/** Ends the session, where it has not ended yet. */
export async function signOut(): Promise<void> {
  await call('consoleSignOut').catch((error: unknown) => {
    if (asProblem(error).code !== 'session_invalid') throw error
  })
  forget()
}

/** Whether the signed-in account may do this in the project, as far as the page knows; the server decides. */
export function mayIn(projectId: string, action: Action): boolean {
  const project = projects.value.find((one) => one.projectId === projectId)
  return project !== undefined && may(project.role, action)
}

/** Leaves the session behind, and with it all pages but those before the sign-in. */
export function forget(): void {
  ended.value?.resolve(false)
  ended.value = undefined
  session.value = undefined
  projects.value = []
  useCsrf(undefined)
}

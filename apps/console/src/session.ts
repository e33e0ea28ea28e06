import { type Action, type ConfirmationMethod, isStoppedWithProject, maxListed, may } from '@souk/contract'
import { asProblem, type Problem } from '@souk/web'
import { computed, shallowRef } from 'vue'
import { call, onUnauthenticated, type RejectedCall, type Result, useCsrf } from './api/client.ts'
import { results } from './api/results.ts'
import { sandboxClock } from './clock.ts'
import { chosenLocale, setLocale } from './i18n/index.ts'

export type Session = Result<'getSession'>
export type Project = Result<'listProjects'>[number]

/** The current session, if the user is signed in. */
export const session = shallowRef<Session>()
/** A session that cannot be used yet, because its sign-in lacks something (ADR 293). */
export const pendingSession = shallowRef<Session>()
/** Projects visible to the signed-in account, archived ones too, sorted by name. */
export const projects = shallowRef<readonly Project[]>([])
/** The `projects` that are not archived. */
export const activeProjects = computed(() => projects.value.filter(({ archivedTime }) => archivedTime === null))
/** The environment as pages without a session know it. */
const environment = shallowRef<Session['environment']>()
/** True if the installation is a sandbox; false while unknown. */
export const isSandbox = computed(() => (session.value?.environment ?? environment.value) === 'sandbox')

/** Loads the environment for pages without a session. Without it, they only lack its bar. */
export async function loadEnvironment(): Promise<void> {
  environment.value ??= (await call('getSetup').catch(() => undefined))?.environment
}
export const isAdministrator = computed(() => session.value?.account.administrator === true)

let loading: Promise<void> | undefined

/** Loads the session once; concurrent and later calls share the result. */
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
 * Set while the session has ended but its page is still open. Rejected calls wait for it, so that no input is lost.
 * Resolves to true if the same account signs in again.
 */
export const ended = shallowRef<PromiseWithResolvers<boolean>>()

/** Calls that wait for the account to confirm its identity in one of these ways. */
interface Confirming extends PromiseWithResolvers<boolean> {
  methods: readonly ConfirmationMethod[]
  /** The call that came first. */
  waiting: RejectedCall
}

/** Set while calls wait for a confirmation of identity. Resolves to false if the user cancels. */
export const confirming = shallowRef<Confirming>()

onUnauthenticated(async ({ code, data }: Problem, waiting: RejectedCall) => {
  const { id } = waiting
  const before = session.value ?? pendingSession.value
  if (!before || id === 'consoleSignOut') return false
  if (code === 'step_up_required') {
    const methods = data.methods as readonly ConfirmationMethod[]
    confirming.value ??= { ...Promise.withResolvers<boolean>(), methods, waiting }
    return confirming.value.promise
  }
  if (code === 'session_invalid') {
    // A sign-in that was not completed in time starts again.
    if (!session.value || (ended.value && id === 'confirmSession')) return false
    ended.value ??= Promise.withResolvers()
    return ended.value.promise
  }
  // The user signed in again in another tab, which shares the cookie but not the CSRF token.
  const now = await call('getSession')
  if (now.csrfToken === before.csrfToken || now.account.accountId !== before.account.accountId) return false
  useCsrf(now.csrfToken)
  session.value = now
  return true
})

/** Starts a session. If it is still pending, the next navigation goes to the page that completes it. */
export async function enter(begun: Session): Promise<void> {
  if (begun.pending) {
    forget()
    useCsrf(begun.csrfToken)
    pendingSession.value = begun
    loading = Promise.resolve()
    return
  }
  pendingSession.value = undefined
  const same = begun.account.accountId === session.value?.account.accountId
  // The calls that wait for a confirmation, and what was loaded, are of the account that made them.
  if (!same) {
    endConfirming(false)
    unlisted.clear()
    results.clear()
  }
  useCsrf(begun.csrfToken)
  session.value = begun
  ended.value?.resolve(same)
  ended.value = undefined
  loading = Promise.resolve()
  // A language chosen in this browser takes precedence over the account's.
  if (!chosenLocale()) await setLocale(begun.account.language, false)
  await Promise.all([reloadProjects(), begun.environment === 'sandbox' ? readClock() : undefined])
}

async function readClock(): Promise<void> {
  sandboxClock.value = await call('getClock')
}

/** Opened projects that are not listed, as a list ends after `maxListed`. */
const unlisted = new Set<string>()

/** Reloads the projects after one was created, renamed, joined or left. */
export async function reloadProjects(): Promise<void> {
  const [listed, ...opened] = await Promise.all([
    call('listProjects'),
    ...[...unlisted].map((projectId) => call('getProject', { projectId }).catch(() => undefined)),
  ])
  const ids = new Set(listed.map(({ projectId }) => projectId))
  const found = opened.filter((project) => project !== undefined)
  projects.value = [...listed, ...found.filter(({ projectId }) => !ids.has(projectId))]
}

/**
 * Returns whether a project exists or has existed, as far as an administrator can know. True for other accounts and if
 * the server does not answer: the page shows the problem.
 */
export async function hasProject(projectId: string): Promise<boolean> {
  const isListed = () => projects.value.some((project) => project.projectId === projectId)
  if (!isListed() && projects.value.length >= maxListed) {
    unlisted.add(projectId)
    await reloadProjects().catch(() => undefined)
    if (!isListed()) unlisted.delete(projectId)
  }
  if (!isAdministrator.value || isListed()) return true
  try {
    await reloadProjects()
    if (isListed()) return true
    const { items } = await call('listAudit', { projectId, action: 'project.delete', limit: 1 })
    return items.length > 0
  } catch (error) {
    return !['parameter_invalid', 'project_not_found'].includes(asProblem(error).code)
  }
}

/** Ends the session if it has not ended yet. */
export async function signOut(): Promise<void> {
  await call('consoleSignOut').catch((error: unknown) => {
    if (asProblem(error).code !== 'session_invalid') throw error
  })
  forget()
}

/**
 * Returns true if the account's role allows the action in the project, and an archived project does too. Only hides
 * controls: the server enforces permissions.
 */
export function mayIn(projectId: string, action: Action): boolean {
  const project = projects.value.find((one) => one.projectId === projectId)
  if (project === undefined || (project.archivedTime !== null && isStoppedWithProject(action))) return false
  return may(project.role, action)
}

/** Closes the request to confirm the identity; `done` repeats the calls that wait for it. */
export function endConfirming(done: boolean): void {
  confirming.value?.resolve(done)
  confirming.value = undefined
}

/** Clears the session, which closes all pages that require it. */
export function forget(): void {
  endConfirming(false)
  ended.value?.resolve(false)
  ended.value = undefined
  session.value = undefined
  pendingSession.value = undefined
  projects.value = []
  unlisted.clear()
  results.clear()
  useCsrf(undefined)
}

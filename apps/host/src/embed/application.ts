import { type EmbedEnvironment, embedVersion } from '@souk/contract/embed'
import { asProblem, bestLocale, Problem } from '@souk/web'
import { shallowRef } from 'vue'
import { call, findUserOf, onSessionLost, renewSessionWith, setBearer } from '../api/client.ts'
import { problemText } from '../api/problemText.ts'
import { setSession, user } from '../api/session.ts'
import { ApplicationError, setApplication } from '../container/application.ts'
import { announceReferrer } from '../container/referrers.ts'
import { setLocale } from '../i18n/index.ts'
import { embeddedScheme } from '../scheme.ts'
import { embeddedInsets } from '../shell/device.ts'
import { type Connection, connect } from './connection.ts'

/** Reason why no mini app runs: no channel to an application, or the error that the application got as `failed`. */
export type Failure = { kind: 'channel' } | { kind: 'failed'; code: string; message: string }

/** Path of the guide for developers of applications. */
export const guide = '/docs/guides/embedding'

export const failure = shallowRef<Failure>()
export const connection = shallowRef<Connection>()
export const isVisible = shallowRef(true)

/** The visible mini app; it says whether it went back. */
let goBack = () => false
export function handleBack(handler: () => boolean): void {
  goBack = handler
}

/** Ends with a message for the user and the application. Only the first one counts. */
function fail(code: string, message: string): void {
  if (failure.value) return
  failure.value = { kind: 'failed', code, message }
  console.error(`Souk: ${message}`)
  connection.value?.notify('failed', { code, message })
}

async function showEnvironment({ language, theme, insets }: EmbedEnvironment): Promise<void> {
  if (theme) embeddedScheme.value = theme
  if (insets) embeddedInsets.value = insets
  if (language) await setLocale(language, false)
}

/** Connects to the application, and signs in the user with its session. Results are in `failure` and `user`. */
export async function connectApplication(appid: string): Promise<void> {
  embeddedScheme.value = 'system'
  embeddedInsets.value = { top: 0, bottom: 0 }
  await setLocale(bestLocale(navigator.languages), false)
  const connected = connect({
    back: () => goBack(),
    visibility: (now) => {
      isVisible.value = now
    },
    environment: (changed) => void showEnvironment(changed),
  })
  if (!connected) {
    failure.value = { kind: 'channel' }
    return
  }
  connection.value = connected
  try {
    await initialize(connected, appid)
  } catch (error) {
    if (error instanceof ApplicationError) fail('initialize', error.message)
    else fail(asProblem(error).code, problemText(error))
  }
}

const sessionInvalid = new Problem({ code: 'session_invalid', status: 401, detail: '' })

async function initialize(connected: Connection, appid: string): Promise<void> {
  const { version, session, handles, environment, application, referrer } = await connected.call('initialize', {
    version: embedVersion,
    appid,
  })
  await showEnvironment(environment ?? {})
  if (version !== embedVersion) {
    fail('version', `The application speaks version ${version} of the protocol; this page knows ${embedVersion} only.`)
    return
  }
  setApplication({ handles: new Set(handles), info: application ?? {}, call: connected.call })
  if (referrer) announceReferrer(appid, referrer)
  const sessions = createSessions(connected, session)
  renewSessionWith(sessions.renew)
  onSessionLost(() => fail('session_invalid', problemText(sessionInvalid)))
  setBearer(session)
  const signedIn = await call('me')
  setSession({ token: sessions.current(), user: signedIn })
}

/** Asks the application for a new session when the server does not accept the current one. */
function createSessions(connected: Connection, first: string) {
  let current = first
  let renewal: Promise<boolean> | undefined

  async function replace(): Promise<boolean> {
    try {
      const { session: token } = await connected.call('getSession', {})
      // Nothing of the previous user may be sent as another one.
      const now = await findUserOf(token)
      if (user.value && user.value.uid !== now.uid) return false
      current = token
      setSession({ token, user: now })
      return true
    } catch (error) {
      // The session may be valid.
      if (error instanceof Problem && error.code === 'unreachable') throw error
      if (error instanceof ApplicationError) console.error(`Souk: ${error.message}`)
      return false
    } finally {
      renewal = undefined
    }
  }

  return {
    current: () => current,
    async renew(sentWith: string | undefined): Promise<boolean> {
      // A request that was sent before the mini app ended.
      if (failure.value) return false
      if (sentWith !== current) return true
      renewal ??= replace()
      return renewal
    },
  }
}

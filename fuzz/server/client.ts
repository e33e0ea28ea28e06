import { randomBytes } from 'node:crypto'
import { type Role, signParameters } from '@souk/contract'
import type { RunningServer } from '../../apps/server/test/server.ts'

/** An account with its session and API key. */
export interface Person {
  accountId: string
  cookie: string
  csrf: string
  key: string
  token: string
}

/** A mini app with its secret. */
export interface SignedApp {
  appid: string
  secret: string
}

export type Client = ReturnType<typeof createClient>

/** Creates a client that calls the server to create what the fuzzed requests refer to. */
export function createClient({ url, adminToken }: RunningServer) {
  async function call(method: string, path: string, headers: Record<string, string>, input?: unknown) {
    const isForm = input instanceof URLSearchParams || input instanceof FormData
    const answer = await fetch(url + path, {
      method,
      headers: { ...headers, ...(input === undefined || isForm ? {} : { 'Content-Type': 'application/json' }) },
      ...(input === undefined ? {} : { body: isForm ? input : JSON.stringify(input) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return { headers: answer.headers, body: JSON.parse(text) }
  }
  /** Calls the server with a bearer token, and returns the body. */
  const as = (token: string) => async (method: string, path: string, input?: unknown) =>
    (await call(method, path, { Authorization: `Bearer ${token}` }, input)).body
  const admin = as(adminToken)

  async function person(path: string, token: string, password: string): Promise<Person> {
    const username = `u${randomBytes(6).toString('hex')}`
    const { headers, body } = await call('POST', path, {}, { token, username, name: username, password })
    const cookie = headers.get('set-cookie')!.split(';')[0]!
    const browser = { Cookie: cookie, 'X-Souk-CSRF': body.csrfToken as string }
    return {
      accountId: body.account.accountId,
      cookie,
      csrf: body.csrfToken,
      key: (await call('POST', '/console/v1/api-key/show', browser, {})).body.key,
      token: (await call('POST', '/console/v1/tokens', browser, {})).body.token,
    }
  }

  const invite = async (projectId: string, role: Role) =>
    (await admin('POST', `/console/v1/projects/${projectId}/invitations`, { role })) as {
      token: string
      invitation: { invitationId: string }
    }

  /** Calls an operation of the open API with a signature. */
  async function open(app: SignedApp, path: string, own: Record<string, unknown>) {
    const parameters = Object.entries({ appid: app.appid, timestamp: Date.now(), ...own }) as [string, string][]
    const form = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]))
    form.set('sign', signParameters(parameters, app.secret))
    return call('POST', path, {}, form)
  }

  return {
    call,
    as,
    admin,
    person,
    invite,
    open,
    join: async (projectId: string, role: Role, password: string) =>
      person('/console/v1/invitations/join', (await invite(projectId, role)).token, password),
    project: async (name: string, marker: string): Promise<string> =>
      (await admin('POST', '/console/v1/projects', { name: `${name} ${marker}` })).projectId,
  }
}

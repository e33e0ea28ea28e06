import { inject } from 'vitest'
import { type Look, newPage, type WatchedPage } from './console.ts'

const { url, session, csrf } = inject('stage')

type Json = Record<string, unknown>

/**
 * A page of the host application, not yet opened: signed in as this mock user, or as nobody. Addresses begin below `/host/`. On a desktop it is a phone with
 * the device bar beside it.
 */
export async function hostPage(look: Partial<Look> = {}, uid?: number): Promise<WatchedPage> {
  const stored: Record<string, string> = { 'souk.host.language': look.language ?? 'en' }
  if (uid !== undefined) {
    const { session: token, user } = await hostCall('POST', '/sessions', { uid })
    stored['souk.host.session'] = JSON.stringify({ token, user })
  }
  return await newPage(look, `${url}/host/`, stored)
}

/** One call of the host surface, by a host user's session. */
export async function hostCall<T = Json>(method: string, path: string, input?: Json, token?: string): Promise<T> {
  return await call(method, `/host/v1${path}`, input, token ? { Authorization: `Bearer ${token}` } : {})
}

/** One call of the console surface, as the administrator. */
export async function consoleCall<T = Json>(method: string, path: string, input?: Json): Promise<T> {
  return await call(method, `/console/v1${path}`, input, { Cookie: `souk_session=${session}`, 'X-Souk-CSRF': csrf })
}

async function call<T>(
  method: string,
  path: string,
  input: Json | undefined,
  headers: Record<string, string>,
): Promise<T> {
  const answer = await fetch(url + path, {
    method,
    headers: { ...headers, ...(input ? { 'Content-Type': 'application/json' } : {}) },
    ...(input ? { body: JSON.stringify(input) } : {}),
  })
  const body = await answer.json()
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
  return body as T
}

/** A mock user of the test's own. */
export async function newUser(nickname: string): Promise<number> {
  const user = { nickname, country: '+966', phone: '500000042', email: 'guest@example.com' }
  return (await consoleCall<{ uid: number }>('POST', '/sandbox/users', user)).uid
}

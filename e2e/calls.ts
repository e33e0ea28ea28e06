import { inject } from 'vitest'

const { url, session, csrf, adminToken } = inject('fixture')

type Json = Record<string, unknown>

/** Headers that authenticate the administrator at the console API. */
export const administrator = { Cookie: `souk_session=${session}`, 'X-Souk-CSRF': csrf }

/** Calls the host API with a user's session token. */
export async function hostCall<T = Json>(method: string, path: string, input?: Json, token?: string): Promise<T> {
  return await call(method, `/host/v1${path}`, input, token ? { Authorization: `Bearer ${token}` } : {})
}

/** Calls the console API as administrator. */
export async function consoleCall<T = Json>(method: string, path: string, input?: Json): Promise<T> {
  return await call(method, `/console/v1${path}`, input, administrator)
}

/** Submits a release for review as a program: an administrator may not approve a release of their own. */
export async function submitRelease(appid: string, releaseId: string, input: Json = {}): Promise<{ reviewId: string }> {
  const path = `/console/v1/apps/${appid}/releases/${releaseId}/submit`
  return await call('POST', path, input, { Authorization: `Bearer ${adminToken}` })
}

async function call<T>(
  method: string,
  path: string,
  input: Json | undefined,
  headers: Record<string, string>,
): Promise<T> {
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, ...(input ? { 'Content-Type': 'application/json' } : {}) },
    ...(input ? { body: JSON.stringify(input) } : {}),
  })
  const body = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
  return body as T
}

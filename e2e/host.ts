import { inject } from 'vitest'
import { consoleCall, hostCall } from './calls.ts'
import { type Look, newPage, type WatchedPage } from './console.ts'

const { url } = inject('fixture')

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

/** A mock user of the test's own. */
export async function newUser(nickname: string): Promise<number> {
  const user = { nickname, country: '+966', phone: '500000042', email: 'guest@example.com' }
  return (await consoleCall<{ uid: number }>('POST', '/sandbox/users', user)).uid
}

import { inject } from 'vitest'
import { storeBefore } from './browser.ts'
import { consoleCall, hostCall } from './calls.ts'
import { type Look, type WatchedPage, watchedPage } from './console.ts'

const { url } = inject('fixture')

/**
 * Returns a page of the host application, signed in as `uid` if given. URLs are relative to `/host/`. On desktop, the
 * host is shown in a phone frame with the device bar. A later test gets the page, see `consolePage`.
 */
export async function hostPage(look: Partial<Look> = {}, uid?: number): Promise<WatchedPage> {
  const page = await watchedPage(look, `${url}/host/`, { 'souk.host.language': look.language ?? 'en' })
  if (uid !== undefined) {
    const { session: token, user } = await hostCall('POST', '/sessions', { uid })
    await storeBefore(page, `${url}/healthz`, { 'souk.host.session': JSON.stringify({ token, user }) })
  }
  return page
}

/** Creates a mock user and returns the uid. */
export async function newUser(nickname: string): Promise<number> {
  const user = { nickname, country: '+966', phone: '500000042', email: 'guest@example.com' }
  return (await consoleCall<{ uid: number }>('POST', '/sandbox/users', user)).uid
}

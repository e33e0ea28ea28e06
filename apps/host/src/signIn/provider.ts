import { readOfTab, writeOfTab } from '@souk/web'
import { call } from '../api/client.ts'

/** The page that required the sign-in, while the browser is at the provider. */
const storageKey = 'souk.host.next'

/** Opens the sign-in page of a provider, which returns the browser to `/signed-in`. @throws Problem */
export async function openProvider(issuerId: string, next: unknown): Promise<void> {
  const { url } = await call('startSignIn', { issuerId })
  writeOfTab(storageKey, nextPage(next))
  location.assign(url)
}

/** Returns the page to show after the sign-in at a provider, once. */
export function takeNextPage(): string {
  const next = nextPage(readOfTab(storageKey))
  writeOfTab(storageKey, undefined)
  return next
}

/** Returns the page that required the sign-in. Accepts only paths: a URL of another site starts with two slashes. */
export function nextPage(next: unknown): string {
  return typeof next === 'string' && /^\/(?!\/)/.test(next) ? next : '/'
}

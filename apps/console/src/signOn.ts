import { readOfTab, writeOfTab } from '@souk/web'
import { call } from './api/client.ts'

/** The page that required the sign-in, while the browser is at the provider. */
const storageKey = 'souk.next'

/**
 * Opens the sign-in page of a provider, which returns the browser to `/signed-on`.
 *
 * @param next page to show afterwards
 * @param fresh whether the provider asks for credentials although it knows the browser
 * @throws Problem
 */
export async function openProvider(providerId: string, next: string, fresh = false): Promise<void> {
  const { url } = await call('startSignOn', { providerId, fresh })
  writeOfTab(storageKey, next)
  location.assign(url)
}

/** Returns the page to show after the sign-in at a provider, once. */
export function takeNextPage(): string | undefined {
  const next = readOfTab(storageKey) ?? undefined
  writeOfTab(storageKey, undefined)
  return next
}

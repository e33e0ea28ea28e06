import type { BridgeMethods } from '@souk/contract/bridge'
import { currentCarrier } from '../carriers/current.ts'

/** Returns a login code with scope user.info, without asking the user; without the e-mail address (open-api §2.4). */
export function login(): Promise<{ code: string }> {
  return currentCarrier().call('login', {})
}

/**
 * Returns a code for scopes that the user consents to: user.info, user.phone, user.email and those of the operator,
 * comma-separated or as an array (open-api §1). The result lists those that were granted.
 */
export function getAuthCode({
  scope = 'user.info',
}: {
  scope?: string | string[]
} = {}): Promise<BridgeMethods['getAuthCode']['result']> {
  return currentCarrier().call('getAuthCode', { scope: String(scope).replaceAll(/\s/g, '') })
}

/** Returns a code for the phone number of the user, after the user consents. */
export function getPhoneNumber(): Promise<{ code: string }> {
  return getAuthCode({ scope: 'user.phone' })
}

/** Returns the user's public profile in the host application. It proves nothing to a backend; use a code for that. */
export function getUserProfile({ desc }: { desc?: string } = {}): Promise<BridgeMethods['getUserProfile']['result']> {
  return currentCarrier().call('getUserProfile', desc === undefined ? {} : { desc })
}

export const getUserInfo = getUserProfile

import type { BridgeMethods } from '@souk/contract/bridge'
import { currentCarrier } from '../carriers/current.ts'

/** A login code, which carries user.info; asks nothing of the user (open API §1). */
export function login(): Promise<{ code: string }> {
  return currentCarrier().call('login', {})
}

/** A code that carries what the user consents to: user.info, user.phone, user.email, as comma list or array (open API §1). */
export function getAuthCode({ scope = 'user.info' }: { scope?: string | string[] } = {}): Promise<{ code: string }> {
  return currentCarrier().call('getAuthCode', { scope: String(scope).replaceAll(/\s/g, '') })
}

/** What the user shows of themselves in the host application; not proven to any backend, which is what a code is for. */
export function getUserProfile({ desc }: { desc?: string } = {}): Promise<BridgeMethods['getUserProfile']['result']> {
  return currentCarrier().call('getUserProfile', desc === undefined ? {} : { desc })
}

export const getUserInfo = getUserProfile

import { currentCarrier } from '../carriers/current.ts'
import type { Options, Result } from './table/types.ts'

export function login(): Promise<Result<'login'>> {
  return currentCarrier().call('login', {})
}

export function getAuthCode({ scope = 'user.info' }: Options<'getAuthCode'> = {}): Promise<Result<'getAuthCode'>> {
  return currentCarrier().call('getAuthCode', { scope: String(scope).replaceAll(/\s/g, '') })
}

export function getPhoneNumber(): Promise<Result<'getPhoneNumber'>> {
  return getAuthCode({ scope: 'user.phone' })
}

export function getUserProfile({ desc }: Options<'getUserProfile'> = {}): Promise<Result<'getUserProfile'>> {
  return currentCarrier().call('getUserProfile', desc === undefined ? {} : { desc })
}

export const getUserInfo = getUserProfile

/** The answer is the same for all templates: Souk has none, and the user decides about all messages of the mini app. */
export async function requestSubscribeMessage({
  tmplIds = [],
}: Options<'requestSubscribeMessage'> = {}): Promise<Result<'requestSubscribeMessage'>> {
  const { answer } = await currentCarrier().call('requestSubscribeMessage', {})
  return { ...Object.fromEntries(tmplIds.map((id) => [id, answer])), answer }
}

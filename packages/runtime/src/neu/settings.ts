import type { Options, Result } from './table/types.ts'

/** What the ecosystem decides in advance, and Souk when a function is called. */

export async function authorize(): Promise<void> {}

export async function getSetting(): Promise<Result<'getSetting'>> {
  return { authSetting: {} }
}

export const openSetting = getSetting

export async function getProvider({ service }: Options<'getProvider'>): Promise<Result<'getProvider'>> {
  return { service, provider: [] }
}

export async function checkSession(): Promise<void> {}

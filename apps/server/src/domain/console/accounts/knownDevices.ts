import { day } from '@souk/contract'
import { issueToken, readToken, type TokenUse } from '../../../kernel/signedToken.ts'
import type { FullContext } from '../../context.ts'

/** Time after its last sign-in until a device is unknown again, in real time. Browsers keep cookies no longer. */
export const deviceLifetime = 400 * day

/** Maximum accounts per device, so that the cookie stays small; the one used least recently is forgotten. */
const maxAccounts = 5

/**
 * Returns the id of the device if one of its tokens shows that the account has signed in from it, otherwise undefined.
 * A cookie has up to `maxAccounts` tokens.
 *
 * @param devices the cookie that `rememberDevice` returned
 */
export function findKnownDevice(
  context: Pick<FullContext, 'vault' | 'clock'>,
  username: string,
  devices = '',
): string | undefined {
  return findDevice(context, useOf(username), devices) ?? findConfirmedDevice(context, username, devices)
}

/**
 * Returns the id of the device if the account has signed in from it with a second factor, otherwise undefined. Someone
 * who knows only the password cannot make a device known in this way.
 */
export function findConfirmedDevice(
  context: Pick<FullContext, 'vault' | 'clock'>,
  username: string,
  devices = '',
): string | undefined {
  return findDevice(context, confirmedUseOf(username), devices)
}

/**
 * Returns the cookie of a device from which the account has just signed in. Its other accounts stay known. The id of a
 * known device stays the same, so that a new sign-in gives it no further attempts.
 *
 * @param isConfirmed whether the account has a second factor and has used it
 */
export function rememberDevice(
  context: Pick<FullContext, 'vault' | 'clock'>,
  username: string,
  devices = '',
  { isConfirmed = false } = {},
): string {
  const others = tokensIn(devices).filter((token) => findKnownDevice(context, username, token) === undefined)
  const confirmed = findConfirmedDevice(context, username, devices)
  const id = confirmed ?? findKnownDevice(context, username, devices)
  const use = isConfirmed || confirmed !== undefined ? confirmedUseOf(username) : useOf(username)
  return [issueToken(context, use, deviceLifetime, id), ...others].slice(0, maxAccounts).join('~')
}

function findDevice(context: Pick<FullContext, 'vault' | 'clock'>, use: TokenUse, devices: string): string | undefined {
  for (const token of tokensIn(devices)) {
    const device = readToken(context, use, token)
    if (device) return device.id
  }
  return undefined
}

function tokensIn(devices: string): string[] {
  return devices.split('~', maxAccounts).filter(Boolean)
}

const useOf = (username: string): TokenUse => ({ use: 'device', boundTo: username })
const confirmedUseOf = (username: string): TokenUse => ({ use: 'confirmed device', boundTo: username })

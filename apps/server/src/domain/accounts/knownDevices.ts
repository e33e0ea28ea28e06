import { day } from '@souk/contract'
import type { Context } from '../context.ts'
import { issueToken, readToken, type TokenUse } from '../signedToken.ts'

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
  context: Pick<Context, 'vault' | 'clock'>,
  username: string,
  devices = '',
): string | undefined {
  for (const token of tokensIn(devices)) {
    const device = readToken(context, useOf(username), token)
    if (device) return device.id
  }
  return undefined
}

/** Returns the cookie of a device from which the account has just signed in. Its other accounts stay known. */
export function rememberDevice(context: Pick<Context, 'vault' | 'clock'>, username: string, devices = ''): string {
  const others = tokensIn(devices).filter((token) => findKnownDevice(context, username, token) === undefined)
  return [issueToken(context, useOf(username), deviceLifetime), ...others].slice(0, maxAccounts).join('~')
}

function tokensIn(devices: string): string[] {
  return devices.split('~', maxAccounts).filter(Boolean)
}

const useOf = (username: string): TokenUse => ({ use: 'device', boundTo: username })

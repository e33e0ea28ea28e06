import { randomBytes } from 'node:crypto'
import { day } from '@souk/contract'
import { matchesSecret } from '../../kernel/crypto.ts'
import type { Context } from '../context.ts'

/** Time after its last sign-in until a device is unknown again, in real time. Browsers keep cookies no longer. */
export const deviceLifetime = 400 * day

/** Maximum accounts per device, so that the cookie stays small; the one used least recently is forgotten. */
const maxAccounts = 5

/**
 * Returns the id of the device if one of its tokens shows that the account has signed in from it, otherwise undefined.
 * A token has the form `id.validUntil.signature`, and a cookie has up to `maxAccounts` of them.
 *
 * @param devices the cookie that `rememberDevice` returned
 */
export function findKnownDevice(
  context: Pick<Context, 'vault' | 'clock'>,
  username: string,
  devices = '',
): string | undefined {
  for (const token of tokensIn(devices)) {
    const [id = '', validUntil = '', signature] = token.split('.')
    if (!matchesSecret(signature, signatureOf(context, username, id, validUntil))) continue
    if (Number(validUntil) > context.clock.real()) return id
  }
  return undefined
}

/** Returns the cookie of a device from which the account has just signed in. Its other accounts stay known. */
export function rememberDevice(context: Pick<Context, 'vault' | 'clock'>, username: string, devices = ''): string {
  const others = tokensIn(devices).filter((token) => findKnownDevice(context, username, token) === undefined)
  const id = randomBytes(16).toString('base64url')
  const validUntil = String(context.clock.real() + deviceLifetime)
  const token = `${id}.${validUntil}.${signatureOf(context, username, id, validUntil)}`
  return [token, ...others].slice(0, maxAccounts).join('~')
}

function tokensIn(devices: string): string[] {
  return devices.split('~', maxAccounts).filter(Boolean)
}

function signatureOf({ vault }: Pick<Context, 'vault'>, username: string, id: string, validUntil: string): string {
  return vault.sign('device', `${username} ${id} ${validUntil}`)
}

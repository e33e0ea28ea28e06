import { minute } from '@souk/contract'
import { type TOTP, URI } from 'otpauth'
import { Authenticator } from './authenticator.ts'
import type { ConsoleUser, TestSouk } from './souk.ts'

/** Adds a passkey to the account of a user, and returns it with the recovery codes. */
export async function addPasskey(souk: TestSouk, user: ConsoleUser, name = 'Phone') {
  const phone = new Authenticator(souk.context.settings.publicUrl)
  const options = await user.call('POST', '/console/v1/profile/passkeys/options', {})
  const passkey = phone.create(options.body)
  const { body } = await user.call('POST', '/console/v1/profile/passkeys', { name, passkey })
  if (body.passkey === undefined) throw new Error(JSON.stringify(body))
  return { phone, passkeyId: body.passkey.passkeyId as string, recoveryCodes: body.recoveryCodes as string[] | null }
}

/** Adds an authenticator app. `newCode` moves the stopped clock, so that its code has not been used. */
export async function addTotp(souk: TestSouk, user: ConsoleUser) {
  const { uri } = (await user.call('POST', '/console/v1/profile/totp', {})).body
  const totp = URI.parse(uri) as TOTP
  const code = () => totp.generate({ timestamp: souk.clock.real() })
  const newCode = () => {
    souk.clock.advance(minute)
    return code()
  }
  const { body } = await user.call('POST', '/console/v1/profile/totp/enable', { code: code() })
  return { code, newCode, recoveryCodes: body.recoveryCodes as string[] | null }
}

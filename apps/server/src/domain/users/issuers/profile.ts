import { SoukError } from '@souk/contract'
import type { JWTPayload } from 'jose'
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import type { Tx } from '../../../kernel/db/pool.ts'
import { type CompanyProfile, upsertCompanyUser } from '../identity/index.ts'
import { storeAttributes } from '../scopes/index.ts'
import type { Issuer } from './store.ts'

/** Creates or updates the user whom a token is about, and returns its uid. @throws SoukError `token_claim_missing` */
export async function storeUser(tx: Tx, issuer: Issuer, token: JWTPayload, now: number): Promise<number> {
  const identity = { issuer: issuer.issuer, subject: subjectOf(token, issuer.claims) }
  const uid = await upsertCompanyUser(tx, identity, profileOf(token, issuer.claims), now)
  await storeAttributes(tx, uid, token)
  return uid
}

/** Returns the subject that identifies a user at its issuer. @throws SoukError `token_claim_missing` */
function subjectOf(token: JWTPayload, claims: Issuer['claims']): string {
  const subject = token[claims.subject]
  if (typeof subject === 'string' && subject.length > 0 && subject.length <= 255) return subject
  throw new SoukError('token_claim_missing', `${claims.subject} must be a text of 1 to 255 characters.`)
}

/** Returns what a token says about its user. Claims that are absent or not usable are null and change nothing. */
function profileOf(token: JWTPayload, claims: Issuer['claims']): CompanyProfile {
  const text = (property: keyof Issuer['claims'], maxLength: number) => {
    const value = token[claims[property]]
    return typeof value === 'string' && value.trim() !== '' && value.length <= maxLength ? value.trim() : null
  }
  const picture = text('picture', 1024)
  const phone = parsePhoneNumberFromString(text('phone', 32) ?? '')
  return {
    nickName: text('name', 64),
    avatar: picture !== null && /^https:\/\/[^\s\\]+$/.test(picture) ? picture : null,
    // An address that the issuer has not verified could belong to somebody else. Some providers send a text.
    email: String(token.email_verified) === 'false' ? null : text('email', 254),
    country: phone ? `+${phone.countryCallingCode}` : null,
    phone: phone?.nationalNumber ?? null,
    locale: text('locale', 35),
  }
}

import { day, SoukError, second } from '@souk/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { csrfTokenOf, deviceLifetime, rememberDevice, type StartedSession } from '../../domain/console/index.ts'
import type { FullContext } from '../../domain/context.ts'
import { matchesSecret } from '../../kernel/crypto.ts'

/** The cookie of a console session. */
export const sessionCookie = 'souk_session'

/** The cookie of a known device. It outlives sessions and does not authenticate (ADR 213). */
export const deviceCookie = 'souk_device'

/** Maximum lifetime of a session in seconds; the server may end it earlier. */
const cookieLifetime = (30 * day) / second

/** Sets the cookie of a new session, which scripts cannot read and requests of other sites do not send. */
export function setSessionCookie(reply: FastifyReply, { token }: StartedSession, publicUrl: string): void {
  reply.setCookie(sessionCookie, token, { ...attributes(publicUrl), maxAge: cookieLifetime })
}

/**
 * Sets the cookie that marks this browser as a known device of the account, for later sign-ins. A session that is not
 * pending, of an account that cannot confirm with its password, has used a second factor.
 */
export function setDeviceCookie(
  context: FullContext,
  reply: FastifyReply,
  { account, pending, confirmationMethods }: StartedSession['session'],
): void {
  const isConfirmed = pending === null && !confirmationMethods.includes('password')
  const devices = reply.request.cookies[deviceCookie]
  reply.setCookie(deviceCookie, rememberDevice(context, account.username, devices, { isConfirmed }), {
    ...attributes(context.settings.publicUrl),
    path: '/console/v1',
    maxAge: deviceLifetime / second,
  })
}

export function clearSessionCookie(reply: FastifyReply, publicUrl: string): void {
  reply.clearCookie(sessionCookie, attributes(publicUrl))
}

function attributes(publicUrl: string) {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: publicUrl.startsWith('https:') } as const
}

/**
 * Rejects requests that a page of another site makes a browser send (ADR 204). Browsers send the origin of a request; a
 * client that does not is not a browser and sends cookies only deliberately.
 * @throws SoukError `csrf_invalid`
 */
export function checkSameOrigin({ headers }: FastifyRequest, publicUrl: string): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined) {
    if (site === 'same-origin' || site === 'none') return
    throw new SoukError('csrf_invalid', 'The request comes from a page of another site.')
  }
  if (headers.origin === undefined) return
  const origin = URL.parse(headers.origin)
  if (origin && (origin.host === headers.host || origin.origin === new URL(publicUrl).origin)) return
  throw new SoukError('csrf_invalid', 'The request comes from a page of another site.')
}

/** Rejects a write request without the CSRF token of its session. @throws SoukError `csrf_invalid` */
export function checkCsrfToken({ headers }: FastifyRequest, session: string): void {
  const header = headers['x-souk-csrf']
  if (typeof header === 'string' && matchesSecret(header, csrfTokenOf(session))) return
  throw new SoukError('csrf_invalid', 'Send X-Souk-CSRF: <csrfToken of the session>.')
}

import { SoukError } from '@souk/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { csrfTokenOf, type StartedSession } from '../../domain/accounts/index.ts'
import { equalInConstantTime } from '../../kernel/crypto.ts'

/** The cookie of a console session. */
export const sessionCookie = 'souk_session'

/** As long as a session can live at most, seconds: the server ends it before. */
const COOKIE_LIFETIME = 30 * 86_400

/** Sets the cookie of a session that has just begun: no page can read it, and no other site's request carries it. */
export function setSessionCookie(reply: FastifyReply, { token }: StartedSession, publicUrl: string): void {
  reply.setCookie(sessionCookie, token, { ...attributes(publicUrl), maxAge: COOKIE_LIFETIME })
}

export function clearSessionCookie(reply: FastifyReply, publicUrl: string): void {
  reply.clearCookie(sessionCookie, attributes(publicUrl))
}

function attributes(publicUrl: string) {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: publicUrl.startsWith('https:') } as const
}

/**
 * Refuses what a page of another site makes a browser send (ADR 204). Browsers say where a request comes from; what says
 * nothing is no browser and has no cookie that it did not mean to send.
 * @throws SoukError `csrf_invalid`
 */
export function checkSameOrigin({ headers }: FastifyRequest, publicUrl: string): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined) {
    if (site === 'same-origin' || site === 'none') return
    throw new SoukError('csrf_invalid', 'It was sent by a page of another site.')
  }
  if (headers.origin === undefined) return
  const origin = URL.parse(headers.origin)
  if (origin && (origin.host === headers.host || origin.origin === new URL(publicUrl).origin)) return
  throw new SoukError('csrf_invalid', 'It was sent by a page of another site.')
}

/** Refuses a change that does not carry the token of its session. @throws SoukError `csrf_invalid` */
export function checkCsrfToken({ headers }: FastifyRequest, session: string): void {
  const given = headers['x-souk-csrf']
  if (typeof given === 'string' && equalInConstantTime(given, csrfTokenOf(session))) return
  throw new SoukError('csrf_invalid', 'Send X-Souk-CSRF: <csrfToken of the session>.')
}

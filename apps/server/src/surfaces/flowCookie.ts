import { second } from '@souk/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { flowLifetime } from '../domain/users/index.ts'

/** The cookie of a sign-in at a provider, from its start until it is complete. */
export interface FlowCookie {
  read(request: FastifyRequest): string | undefined
  set(reply: FastifyReply, flow: string): void
  clear(reply: FastifyReply): void
}

/** Creates the cookie for the operations below `path`. Scripts cannot read it, and other sites cannot send it. */
export function createFlowCookie(name: string, path: string, publicUrl: string): FlowCookie {
  const attributes = { path, httpOnly: true, sameSite: 'strict', secure: publicUrl.startsWith('https:') } as const
  return {
    read: ({ cookies }) => cookies[name],
    set: (reply, flow) => void reply.setCookie(name, flow, { ...attributes, maxAge: flowLifetime / second }),
    clear: (reply) => void reply.clearCookie(name, attributes),
  }
}

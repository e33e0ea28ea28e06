import { type ErrorCode, errors, errorsOf, type Operation } from '@souk/contract'
import type { Call, Callable } from '../grammar/call.ts'
import { Violation } from '../target.ts'
import { mustBeDenied } from './access.ts'
import type { Caller } from './callers.ts'
import type { Answer, Prepared } from './request.ts'
import type { World } from './world.ts'

/** A request with its answer. */
export interface Exchange {
  callable: Callable
  call: Call
  caller: Caller
  request: Prepared
  answer: Answer
}

/** Returns the first invariant that an answer violates. */
export function judge(exchange: Exchange, world: Pick<World, 'secrets' | 'foreignMarker'>): Violation | undefined {
  const { callable, answer } = exchange
  const at = `${callable.id}:`
  const shown = `${callable.id} answered ${answer.status}: ${answer.text.slice(0, 500)}`
  if (answer.status >= 500 && codeOf(exchange) !== 'unavailable') return new Violation(`${at} server error`, shown)
  const fault = answer.status >= 400 ? faultOfError(exchange) : undefined
  if (fault) return new Violation(`${at} ${fault}`, `${fault}: ${shown}`)
  if (isSuccess(exchange) && mustBeDenied(callable, exchange.call, exchange.caller)) {
    return new Violation(`${at} allowed`, `${exchange.call.caller} may not do this: ${shown}`)
  }
  const secret = shownSecret(exchange, world.secrets)
  if (secret) return new Violation(`${at} secret ${secret}`, `The answer contains the secret ${secret}: ${shown}`)
  if (showsForeign(exchange, world.foreignMarker)) {
    return new Violation(`${at} foreign data`, `${exchange.call.caller} sees data of another project: ${shown}`)
  }
  return undefined
}

export function isSuccess({ answer }: Exchange): boolean {
  return answer.status >= 200 && answer.status < 300
}

/** Returns the error code in the body, or undefined if there is none. */
function codeOf({ answer }: Exchange): unknown {
  const body = parsed(answer.text)
  return body?.code ?? (body?.responseHeader as Record<string, unknown> | undefined)?.code
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Errors of requests that are not valid HTTP; they belong to no operation. */
const beforeRouting = ['request_malformed', 'request_timeout', 'headers_too_large']

/** Returns what is wrong with an error response, if anything. */
function faultOfError(exchange: Exchange): string | undefined {
  const { callable, call, request, answer } = exchange
  // Has no body.
  if (request.method === 'HEAD') return undefined
  const body = parsed(answer.text)
  if (!body) return 'the error is not JSON'
  const code = codeOf(exchange)
  if (typeof code !== 'string' || !Object.hasOwn(errors, code)) return 'the error is not registered'
  if (errors[code as ErrorCode].status !== answer.status) return `the status of ${code} is wrong`
  const isEnvelope = 'responseHeader' in body
  const isOAuth = 'error' in body
  const isFormed = isEnvelope ? isEnvelopeOf(body, answer) : isOAuth || isProblem(body, answer)
  if (!isFormed) return 'the form of the error is wrong'
  const isRouted =
    !beforeRouting.includes(code) && !call.changes.some(({ part }) => part === 'path' || part === 'method')
  if (!isRouted) return undefined
  if (isEnvelope !== (callable.surface === 'open')) return 'the error has the form of another surface'
  if (isOperation(callable) && isOAuth !== (callable.oauthErrors ?? false)) return 'the error has the form of others'
  if (isOperation(callable) && code !== 'route_unknown' && !errorsOf(callable).includes(code as ErrorCode)) {
    return `the operation does not declare ${code}`
  }
  return undefined
}

function isEnvelopeOf(body: Record<string, unknown>, { status }: Answer): boolean {
  return (body.responseHeader as Record<string, unknown>).status === status && body.response === null
}

function isProblem({ status, requestId }: Record<string, unknown>, answer: Answer): boolean {
  return answer.contentType.startsWith('application/problem+json') && status === answer.status && Boolean(requestId)
}

function isOperation(callable: Callable): callable is Callable & Operation {
  return 'errors' in callable
}

/** Returns the name of a secret in an answer. A caller may get back what it sent, and what the operation returns. */
function shownSecret({ callable, request, answer }: Exchange, secrets: World['secrets']): string | undefined {
  const sent = [request.target, request.body.toString(), ...Object.values(request.headers)].join('\n')
  const redacted = isOperation(callable) ? callable.redact : []
  const received = `${answer.text}\n${JSON.stringify(answer.headers)}`
  for (const [name, secret] of secrets) {
    if (received.includes(secret) && !sent.includes(secret) && redacted.length === 0) return name
  }
  return undefined
}

function showsForeign({ callable, call, caller, request, answer }: Exchange, marker: string): boolean {
  const isMember = ['owner', 'editor', 'viewer', 'nonMember', 'unauthenticated'].includes(caller.is)
  const ofProjects = callable.surface === 'console' || callable.surface === 'platform'
  const changesCaller = call.changes.some(({ part }) => part === 'header')
  // The holder of an invitation may see its project.
  const isInvited = JSON.stringify(call.parameters).includes('{{foreign.token}}')
  const sent = `${request.target}${request.body}`.includes(marker)
  return isMember && ofProjects && !changesCaller && !isInvited && !sent && answer.text.includes(marker)
}

import { may, type Operation, type Role } from '@souk/contract'
import type { Call, Callable } from '../grammar/call.ts'
import type { Caller } from './callers.ts'

/**
 * Returns whether a call must not succeed by the table of rights. False if the call is allowed, or if this cannot be
 * told from the call.
 */
export function mustBeDenied(callable: Callable, call: Call, caller: Caller): boolean {
  // Changes may replace credentials or address another operation.
  if (call.changes.length > 0) return false
  const operation = callable as Partial<Operation> & Callable
  switch (operation.auth) {
    case 'sign':
      return (
        caller.is !== 'app' ||
        (operation.capability !== undefined && !caller.sign!.hasCapabilities) ||
        isForeign(call, 'tradeNo')
      )
    case 'hostSession':
      return (
        caller.is === 'unauthenticated' ||
        (mentions(call, 'tradeNo') && (caller.is === 'otherUser' || isForeign(call, 'tradeNo')))
      )
    case 'console':
    case 'apiKey':
      if (caller.is === 'unauthenticated' && !(caller.readsOnly && callable.method === 'GET')) return true
      return isDeniedByAccess(operation.access, call, caller)
    default:
      return false
  }
}

function isDeniedByAccess(access: Operation['access'], call: Call, { is }: Caller): boolean {
  if (access === 'account') return is === 'adminToken'
  if (is === 'administrator' || is === 'adminToken' || is === 'unauthenticated') return false
  if (access === 'administrator') return true
  if (typeof access !== 'object') return false
  // Members of another project are viewers there.
  const role = (is === 'nonMember' ? 'viewer' : is) as Role
  if (access.by === 'anyProject') return !may(role, access.action)
  const id = call.parameters[access.by]
  if (id === `{{own.${access.by}}}`) return is === 'nonMember' || !may(role, access.action)
  return isForeign(call, access.by)
}

function mentions(call: Call, name: string): boolean {
  return typeof call.parameters[name] === 'string'
}

function isForeign(call: Call, name: string): boolean {
  return call.parameters[name] === `{{foreign.${name}}}`
}

import {
  type CustomEventDeclaration,
  type CustomEventDeclarations,
  type CustomEventField,
  findEventsProblem,
} from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { listCustomEventRows, upsertCustomEvent } from './store.ts'

/**
 * Declares the events of a release that is uploaded, in a transaction that has locked the mini app. Those that a member
 * has set stay as they are. Others only get fields and values: releases that users have open report those that exist.
 *
 * @returns why the mini app cannot have them; undefined if they are declared
 */
export async function declareOfRelease(
  tx: Tx,
  { appid, version, declared }: { appid: string; version: string; declared: CustomEventDeclarations },
  now: number,
): Promise<string | undefined> {
  const rows = await listCustomEventRows(tx, appid)
  const existing = new Map(rows.map(({ name, description, fields }) => [name, { description, fields }]))
  const setInConsole = new Set(rows.filter(({ setBy }) => setBy === 'console').map(({ name }) => name))
  const added = Object.entries(declared).filter(([name]) => !setInConsole.has(name))
  const retyped = added.flatMap(([name, event]) => retypedFields(name, existing.get(name), event))[0]
  if (retyped !== undefined) return `${retyped}. Choose another name for the field, or ${removal}`
  const changed = added.map(([name, event]) => [name, extended(existing.get(name), event)] as const)
  const problem = findEventsProblem(Object.fromEntries([...existing, ...changed]))
  if (problem !== undefined) return `${problem}. What earlier uploads have declared counts, too: ${removal}`
  for (const [name, { description = '', fields }] of changed) {
    await upsertCustomEvent(tx, appid, { name, description, fields, setBy: 'project', version, mtime: now })
  }
  return undefined
}

const removal = 'remove events in the console that no release reports any longer'

/** Returns the fields that a release declares with another type than other releases. */
function retypedFields(name: string, existing: CustomEventDeclaration | undefined, event: CustomEventDeclaration) {
  return Object.entries(event.fields).flatMap(([field, { type }]) => {
    const before = fieldOf(existing, field)
    return before && before.type !== type ? [`${name}.${field} is ${before.type} in other releases, not ${type}`] : []
  })
}

/** Adds the fields and values that a release declares to an event. */
function extended(existing: CustomEventDeclaration | undefined, event: CustomEventDeclaration): CustomEventDeclaration {
  if (!existing) return event
  const fields = Object.entries(event.fields).map(([name, field]) => [name, withValues(fieldOf(existing, name), field)])
  return {
    description: event.description || (existing.description ?? ''),
    fields: { ...existing.fields, ...Object.fromEntries(fields) },
  }
}

const fieldOf = (event: CustomEventDeclaration | undefined, name: string) =>
  event && Object.hasOwn(event.fields, name) ? event.fields[name] : undefined

function withValues(existing: CustomEventField | undefined, field: CustomEventField): CustomEventField {
  if (existing?.type !== 'enum' || field.type !== 'enum') return field
  return { type: 'enum', values: [...new Set([...existing.values, ...field.values])] }
}

import { type CustomEventDeclarations, findEventsProblem } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { listCustomEventRows, upsertCustomEvent } from './store.ts'

/**
 * Declares the events of a release that is uploaded, in a transaction that has locked the mini app. Those that a member
 * has set stay as they are, and so do those that the release does not have: other releases report them.
 *
 * @returns why the mini app cannot have them; undefined if they are declared
 */
export async function declareOfRelease(
  tx: Tx,
  { appid, version, declared }: { appid: string; version: string; declared: CustomEventDeclarations },
  now: number,
): Promise<string | undefined> {
  const existing = await listCustomEventRows(tx, appid)
  const setInConsole = existing.filter(({ setBy }) => setBy === 'console').map(({ name }) => name)
  const changed = Object.entries(declared).filter(([name]) => !setInConsole.includes(name))
  const before = existing.map(({ name, description, fields }) => [name, { description, fields }])
  const problem = findEventsProblem({ ...Object.fromEntries(before), ...Object.fromEntries(changed) })
  if (problem !== undefined) return problem
  for (const [name, { description = '', fields }] of changed) {
    await upsertCustomEvent(tx, appid, { name, description, fields, setBy: 'project', version, mtime: now })
  }
  return undefined
}

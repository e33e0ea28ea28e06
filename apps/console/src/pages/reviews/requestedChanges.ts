import { type ChangeKind, type Domains, domainPurposes } from '@souk/contract'

/** What a change request adds to the value in effect, and what it removes; each is a value of the same kind. */
export interface RequestedChange {
  added: unknown
  removed: unknown
}

/** Compares a requested list with the one in effect; undefined for kinds that are not lists. */
export function compareLists(kind: ChangeKind, before: unknown, value: unknown): RequestedChange | undefined {
  if (kind === 'capabilities' || kind === 'testers') return compare(before as [] | null, value as [])
  if (kind !== 'domains') return undefined
  const [earlier, later] = [before as Domains | null, value as Domains]
  const changes = domainPurposes.map((purpose) => [purpose, compare(earlier?.[purpose] ?? [], later[purpose])] as const)
  return {
    added: Object.fromEntries(changes.map(([purpose, { added }]) => [purpose, added])),
    removed: Object.fromEntries(changes.map(([purpose, { removed }]) => [purpose, removed])),
  }
}

function compare(
  before: readonly unknown[] | null,
  value: readonly unknown[],
): { added: unknown[]; removed: unknown[] } {
  const earlier = before ?? []
  return {
    added: value.filter((each) => !earlier.includes(each)),
    removed: earlier.filter((each) => !value.includes(each)),
  }
}

/** A field of an audit entry. `before` is undefined if the entry does not have the old value. */
interface AuditedField {
  name: string
  before: string | undefined
  after: string
}

/** Returns the fields of an entry's detail: those with an old value from `before`, or from `from` and `to`. */
export function fieldsOfDetail(detail: unknown): AuditedField[] {
  if (typeof detail !== 'object' || detail === null) return []
  const { before, from, to, ...others } = detail as Record<string, unknown>
  const old = (before ?? {}) as Record<string, unknown>
  const single = to === undefined ? [] : [{ name: '', before: textOf(from), after: textOf(to) }]
  const fields = Object.entries(others)
    .filter(([name, value]) => name in old || (value !== null && value !== undefined))
    .map(([name, value]) => ({ name, before: name in old ? textOf(old[name]) : undefined, after: textOf(value) }))
  return [...single, ...fields]
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Returns the fields that differ from those a form started with. The others are not sent: someone else may have changed
 * them since.
 */
export function changedFields<Fields extends object>(fields: Fields, before: Partial<Fields>): Partial<Fields> {
  const changed = Object.entries(fields).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof Fields]),
  )
  return Object.fromEntries(changed) as Partial<Fields>
}

import type { Operation } from '@souk/contract'

/**
 * Returns the input of a valid call: the operation's example, plus the identifiers that it requires or that its access
 * is granted by.
 *
 * @param identifiers values by parameter name
 * @throws Error if a required parameter has no value
 */
export function exampleInput(
  { id, parameters, access, example }: Operation,
  identifiers: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const required: readonly string[] = parameters.required ?? []
  const by = typeof access === 'object' ? access.by : undefined
  const input: Record<string, unknown> = { ...example }
  for (const name of Object.keys(parameters.properties)) {
    if (Object.hasOwn(identifiers, name) && (name === by || required.includes(name))) input[name] = identifiers[name]
  }
  const missing = required.filter((name) => !Object.hasOwn(input, name))
  if (missing.length > 0) throw new Error(`${id}: add ${missing.join(', ')} to its example in the contract`)
  return input
}

const unknownId = 'f'.repeat(32)

/** Identifiers and a token that do not exist, for inputs of calls that only have to reach their operation. */
export const unknownIds = {
  changeId: unknownId,
  inspectionId: unknownId,
  invitationId: unknownId,
  recordId: unknownId,
  releaseId: unknownId,
  reviewId: unknownId,
  ruleId: unknownId,
  funnelId: unknownId,
  serviceAccountId: unknownId,
  token: 'x'.repeat(40),
}

/** Puts parameters into the path of an operation, and the others into its body, or its query string. */
export function placeInput({ path, body }: Operation, input: Readonly<Record<string, unknown>>) {
  const rest = { ...input }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return value
  })
  if (body) return { target: filled, body: rest }
  const query = new URLSearchParams(rest as Record<string, string>).toString()
  return { target: query ? `${filled}?${query}` : filled, body: undefined }
}

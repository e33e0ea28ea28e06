/** Version of the runtime that hosts embed, the same as in its package.json. */
export const runtimeVersion = '0.1.0'

/** Pattern of the minimum version that a mini app requires. */
export const runtimeVersionPattern = '^(0|[1-9]\\d{0,5})\\.(0|[1-9]\\d{0,5})\\.(0|[1-9]\\d{0,5})$'

/** Returns whether a runtime is at least the version that a mini app requires. An invalid requirement is ignored. */
export function satisfiesRuntime(required: string, version = runtimeVersion): boolean {
  if (!new RegExp(runtimeVersionPattern).test(required)) return true
  const minimum = required.split('.').map(Number)
  const actual = version.split(/[.+-]/).slice(0, 3).map(Number)
  const first = minimum.findIndex((number, index) => number !== actual[index])
  return first === -1 || actual[first]! > minimum[first]!
}

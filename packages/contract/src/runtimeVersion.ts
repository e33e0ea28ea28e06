/** Version of the runtime in hosts, equal to the one in its package.json. */
export const runtimeVersion = '0.2.0'

/** Pattern of the minimum version that a mini app requires. */
const pattern = /^(?:0|[1-9]\d{0,5})(?:\.(?:0|[1-9]\d{0,5})){2}$/

/** Source of the pattern, for schemas. */
export const runtimeVersionPattern = pattern.source

/** Returns whether a runtime is at least the version that a mini app requires. An invalid requirement is ignored. */
export function satisfiesRuntime(required: string, version = runtimeVersion): boolean {
  if (!pattern.test(required)) return true
  const minimum = required.split('.').map(Number)
  const actual = version.split(/[.+-]/).slice(0, 3).map(Number)
  const first = minimum.findIndex((number, index) => number !== actual[index])
  return first === -1 || actual[first]! > minimum[first]!
}

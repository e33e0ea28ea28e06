import type { BlockState, Capability, Domains } from '@souk/contract'

/** A part of a mini app's settings that operators can take from it. */
export interface Part {
  state: BlockState & ('capabilityRemoved' | 'hostsRemoved')
  /** `<appid> <name>`. */
  subject: string
  name: string
}

interface Settings {
  capabilities?: readonly Capability[] | undefined
  domains?: Partial<Domains> | undefined
}

/** Returns the parts that `after` has and `before` lacks: capabilities, and lists of hosts that get further ones. */
export function addedParts(appid: string, before: Settings, after: Settings): Part[] {
  const owned: readonly string[] = before.capabilities ?? []
  const capabilities = (after.capabilities ?? []).filter((each) => !owned.includes(each))
  const lists = Object.entries(after.domains ?? {}).filter(([purpose, hosts]) => {
    const earlier: readonly string[] = before.domains?.[purpose as keyof Domains] ?? []
    return hosts?.some((host) => !earlier.includes(host))
  })
  return [
    ...capabilities.map((name): Part => ({ state: 'capabilityRemoved', subject: `${appid} ${name}`, name })),
    ...lists.map(([name]): Part => ({ state: 'hostsRemoved', subject: `${appid} ${name}`, name })),
  ]
}

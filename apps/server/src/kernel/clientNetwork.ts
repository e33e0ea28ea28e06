import ipaddr from 'ipaddr.js'

/**
 * Returns the network that counts as one client in limits: the address, or for IPv6 the /64 prefix, in which a client
 * can choose its address.
 */
export function clientNetwork(address: string): string {
  const parsed = ipaddr.isValid(address) ? ipaddr.process(address) : undefined
  return parsed instanceof ipaddr.IPv6 ? parsed.toNormalizedString().split(':').slice(0, 4).join(':') : address
}

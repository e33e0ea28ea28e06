/** An address as whoever draws outside of this document needs it; empty stays empty. */
export function absolute(address: string): string {
  return address && new URL(address, document.baseURI).href
}

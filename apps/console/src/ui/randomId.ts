/** Returns 32 random hexadecimal digits. `crypto.randomUUID` exists only at https addresses and localhost. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

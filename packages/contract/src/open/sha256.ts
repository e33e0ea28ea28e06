import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** SHA-256 over the UTF-8 bytes of `text`, as 64 lowercase hexadecimal characters. Lone surrogates hash as U+FFFD. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}

/** HMAC-SHA256, 32 bytes; key and message are the UTF-8 bytes of the two texts. */
export function hmacSha256(key: string, message: string): Uint8Array {
  return hmac(sha256, utf8ToBytes(key), utf8ToBytes(message))
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Standard base64 with padding (RFC 4648 §4). Written out because `btoa` and `Buffer` are not part of the language. */
export function base64(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const missing = 3 - Math.min(3, bytes.length - i)
    const group = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    text += BASE64.charAt(group >> 18) + BASE64.charAt((group >> 12) & 63)
    text += missing > 1 ? '=' : BASE64.charAt((group >> 6) & 63)
    text += missing > 0 ? '=' : BASE64.charAt(group & 63)
  }
  return text
}

/** The bytes of a base64 text, standard or URL-safe alphabet, padded or not; undefined for anything else. */
export function fromBase64(text: string): Uint8Array | undefined {
  const digits = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '')
  if (!/^[A-Za-z0-9+/]*$/.test(digits) || digits.length % 4 === 1) return undefined
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4))
  let bits = 0
  let held = 0
  let length = 0
  for (const digit of digits) {
    bits = ((bits << 6) | BASE64.indexOf(digit)) & 0xfff
    held += 6
    if (held >= 8) {
      held -= 8
      bytes[length++] = (bits >> held) & 0xff
    }
  }
  return bytes
}

/** Whether two texts are equal, in a time that depends on their lengths alone. */
export function equalInConstantTime(received: string, expected: string): boolean {
  if (received.length !== expected.length) return false
  let difference = 0
  for (let i = 0; i < expected.length; i++) difference |= received.charCodeAt(i) ^ expected.charCodeAt(i)
  return difference === 0
}

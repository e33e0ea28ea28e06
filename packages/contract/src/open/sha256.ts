import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** Returns the SHA-256 of `text` in UTF-8 as 64 lowercase hex characters. Lone surrogates hash as U+FFFD. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}

/** Returns the HMAC-SHA256 (32 bytes) of two strings in UTF-8. */
export function hmacSha256(key: string, message: string): Uint8Array {
  return hmac(sha256, utf8ToBytes(key), utf8ToBytes(message))
}

const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Encodes standard base64 with padding (RFC 4648). `btoa` and `Buffer` are not available in every environment. */
export function base64(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const missing = 3 - Math.min(3, bytes.length - i)
    const group = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    text += base64Alphabet.charAt(group >> 18) + base64Alphabet.charAt((group >> 12) & 63)
    text += missing > 1 ? '=' : base64Alphabet.charAt((group >> 6) & 63)
    text += missing > 0 ? '=' : base64Alphabet.charAt(group & 63)
  }
  return text
}

/** Decodes base64, standard or URL-safe, padded or not. Returns undefined for invalid input. */
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
    bits = ((bits << 6) | base64Alphabet.indexOf(digit)) & 0xfff
    held += 6
    if (held >= 8) {
      held -= 8
      bytes[length++] = (bits >> held) & 0xff
    }
  }
  return bytes
}

/** Compares two strings in a time that depends only on their lengths. */
export function equalInConstantTime(received: string, expected: string): boolean {
  if (received.length !== expected.length) return false
  let difference = 0
  for (let i = 0; i < expected.length; i++) difference |= received.charCodeAt(i) ^ expected.charCodeAt(i)
  return difference === 0
}

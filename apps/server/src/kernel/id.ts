import { randomBytes, randomFillSync, randomInt, randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'

let lastTime = 0
let sequence = 0

// A call for chance costs a system call, and every request has an id: it is fetched for 512 of them at a time.
const chance = Buffer.alloc(4096)
let chanceUsed = chance.length

function eightRandomBytes(): Buffer {
  if (chanceUsed === chance.length) {
    randomFillSync(chance)
    chanceUsed = 0
  }
  chanceUsed += 8
  return chance.subarray(chanceUsed - 8, chanceUsed)
}

/**
 * A new identifier as 32 lowercase hexadecimal digits: a UUID of version 7 without its hyphens. Its first 48 bits are
 * the wall clock and the next 12 a sequence, so that rows of one table are appended at one end of their index.
 */
export function newId(): string {
  const time = Date.now()
  if (time > lastTime) {
    lastTime = time
    sequence = randomInt(0x400)
  } else if (++sequence > 0xfff) {
    lastTime++
    sequence = 0
  }
  const random = eightRandomBytes()
  random[0] = (random[0]! & 0x3f) | 0x80
  return lastTime.toString(16).padStart(12, '0') + '7' + sequence.toString(16).padStart(3, '0') + random.toString('hex')
}

/** An identifier that tells nothing, not even its age: 32 lowercase hexadecimal digits of chance (openId, unionId). */
export function newOpaqueId(): string {
  return randomBytes(16).toString('hex')
}

/** A login code: UUID of version 4. */
export function newCode(): string {
  return randomUUID()
}

/** An appid: 15 lowercase letters and digits, the first a letter. */
export function newAppid(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const all = `${letters}0123456789`
  return letters[randomInt(letters.length)]! + Array.from({ length: 14 }, () => all[randomInt(all.length)]).join('')
}

/** An app secret: 192 bits as 48 lowercase hexadecimal digits. */
export function newSecret(): string {
  return randomBytes(24).toString('hex')
}

/** A bearer token for sessions and administration: 256 bits, base64url, after a prefix that names its kind. */
export function newToken(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`
}

/** A UUID column as the wire has it: without hyphens. */
export function hex(uuid: string): string {
  return uuid.replaceAll('-', '')
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * An API key: `souk_live_` or `souk_test_`, 30 digits of base 62 (178 bits), and the CRC32 of all that in 6 more. The
 * checksum lets scanners for leaked secrets tell a key from a word that looks like one, without asking anybody.
 */
export function newApiKey(environment: 'live' | 'test'): string {
  const secret = Array.from({ length: 30 }, () => base62[randomInt(62)]).join('')
  const body = `souk_${environment}_${secret}`
  return body + checksum(body)
}

/** Whether a text has the form of an API key of this environment, its checksum included. */
export function isApiKey(text: string, environment: 'live' | 'test'): boolean {
  const form = /^souk_(live|test)_[0-9A-Za-z]{36}$/.exec(text)
  return form?.[1] === environment && checksum(text.slice(0, -6)) === text.slice(-6)
}

/** The CRC32 of a text as 6 digits of base 62. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < 6; place++) {
    digits = base62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

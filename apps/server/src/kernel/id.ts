import { randomBytes, randomFillSync, randomInt, randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'

let lastTime = 0
let sequence = 0

// Each request needs an id. Fetching randomness for 512 of them at once saves system calls.
const pool = Buffer.alloc(4096)
let used = pool.length

function eightRandomBytes(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 8
  return pool.subarray(used - 8, used)
}

/**
 * Returns a new identifier, a UUID v7 without hyphens (32 lowercase hex digits). Its first 48 bits are the wall clock
 * and the next 12 a sequence, which keeps indexes append-only.
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
  const time48 = lastTime.toString(16).padStart(12, '0')
  return `${time48}7${sequence.toString(16).padStart(3, '0')}${random.toString('hex')}`
}

/** Returns a random identifier that does not reveal its age: 32 lowercase hex digits (openId, unionId). */
export function newOpaqueId(): string {
  return randomBytes(16).toString('hex')
}

/** Returns a new login code, a UUID v4. */
export function newLoginCode(): string {
  return randomUUID()
}

/** Returns a new appid: 15 lowercase letters and digits, the first a letter. */
export function newAppid(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const all = `${letters}0123456789`
  return letters[randomInt(letters.length)]! + Array.from({ length: 14 }, () => all[randomInt(all.length)]).join('')
}

/** Returns a new app secret: 192 bits as 48 lowercase hex digits. */
export function newSecret(): string {
  return randomBytes(24).toString('hex')
}

/** Returns a new bearer token: 256 bits in base64url after a prefix that names its kind. */
export function newToken(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`
}

/** Removes the hyphens of a UUID with 36 characters. The driver calls it for each id; `replaceAll` is slower. */
export function hex(uuid: string): string {
  return uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24)
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * Returns a new API key: `souk_live_` or `souk_test_`, 30 base62 digits (178 bits), and the CRC32 of both in 6 more.
 * The checksum lets secret scanners recognize a key offline.
 */
export function newApiKey(environment: 'live' | 'test'): string {
  const secret = Array.from({ length: 30 }, () => base62[randomInt(62)]).join('')
  const body = `souk_${environment}_${secret}`
  return body + checksum(body)
}

/** Returns whether a text has the format of an API key of this environment, including its checksum. */
export function isApiKey(text: string, environment: 'live' | 'test'): boolean {
  const form = /^souk_(live|test)_[0-9A-Za-z]{36}$/.exec(text)
  return form?.[1] === environment && checksum(text.slice(0, -6)) === text.slice(-6)
}

/** Returns the CRC32 of a text as 6 base62 digits. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < 6; place++) {
    digits = base62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

import { KeyObject } from 'node:crypto'
import { expect, test } from 'vitest'
import { DamagedValueError, MissingKeyError, masterKeyId, Vault } from './vault.ts'

const [first, second, third] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]
const context = 'provider account 0123'

test('an empty secret cannot be stored', () => {
  expect(() => new Vault(() => [first]).seal('', context)).toThrow(RangeError)
})

test('the current key seals and signs, and every key of the ring opens and verifies', () => {
  const vault = new Vault(() => [first, second])
  const before = vault.seal('secret', context)
  const signed = vault.sign('device', 'ada')
  vault.use(masterKeyId(second))
  const after = vault.seal('secret', context)
  expect([before.keyId, after.keyId]).toEqual([masterKeyId(first), masterKeyId(second)])
  expect([vault.open(before, context), vault.open(after, context)]).toEqual(['secret', 'secret'])
  expect(vault.sign('device', 'ada')).not.toBe(signed)
  for (const signature of [signed, vault.sign('device', 'ada')]) {
    expect(vault.isSigned('device', 'ada', signature)).toBe(true)
    expect(vault.isSigned('device', 'eve', signature)).toBe(false)
    expect(vault.isSigned('other', 'ada', signature)).toBe(false)
  }
  expect(vault.isSigned('device', 'ada', undefined)).toBe(false)
})

test('an unknown key id makes it read the ring again', () => {
  let ring = [first]
  const vault = new Vault(() => ring)
  const other = new Vault(() => [second])
  const sealed = other.seal('secret', context)
  expect(() => vault.open(sealed, context)).toThrow(MissingKeyError)
  ring = [first, second]
  expect(vault.open(sealed, context)).toBe('secret')
  expect(KeyObject.from(vault.tokenKey(other.keyId)).equals(KeyObject.from(other.tokenKey(other.keyId)))).toBe(true)
  expect(vault.keyId).toBe(masterKeyId(first))
  expect(() => vault.use(masterKeyId(third))).toThrow(MissingKeyError)
})

test('a token with an unknown key does not cause a read of the key ring', () => {
  let reads = 0
  const vault = new Vault(() => {
    reads++
    return [first]
  })
  const before = reads
  expect(() => vault.tokenKey(masterKeyId(second))).toThrow(MissingKeyError)
  expect(reads).toBe(before)
})

test('a missing key is named with the row that needs it, and no key appears in the message', () => {
  const sealed = new Vault(() => [second]).seal('secret', context)
  const message = catchMessage(() => new Vault(() => [first]).open(sealed, context))
  expect(message).toContain(`${masterKeyId(second)} of provider_accounts (provider_account_id 0123)`)
  expect(message).toContain(`which has ${masterKeyId(first)}`)
  for (const key of [first, second]) expect(message).not.toContain(key.toString('hex'))
})

test('a changed value is named by table and row', () => {
  const vault = new Vault(() => [first])
  const { keyId, ciphertext } = vault.seal('secret', context)
  const changes = [
    ciphertext.with(-1, ciphertext.at(-1)! ^ 1),
    ciphertext.with(12, ciphertext[12]! ^ 1),
    ciphertext.subarray(0, 20),
    ciphertext.subarray(0, 4),
    Buffer.alloc(0),
  ]
  for (const changed of changes) {
    const open = () => vault.open({ keyId, ciphertext: Buffer.from(changed) }, context)
    expect(open).toThrow(DamagedValueError)
    expect(catchMessage(open)).toContain('provider_accounts (provider_account_id 0123) cannot be decrypted')
  }
  expect(() => vault.open({ keyId, ciphertext }, 'provider account 4567')).toThrow(DamagedValueError)
})

test('keeps its keys if the ring cannot be read', () => {
  let ring = [first]
  const vault = new Vault(() => ring)
  const sealed = vault.seal('secret', context)
  ring = []
  expect(() => vault.reload()).toThrow('the key ring is empty')
  expect(vault.open(sealed, context)).toBe('secret')
})

function catchMessage(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('nothing was thrown')
}

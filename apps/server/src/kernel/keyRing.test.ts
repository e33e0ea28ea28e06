import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { formatKeyRing, parseKeyRing, readKeyRing, writeKeyRing } from './keyRing.ts'
import { SecretFileError } from './secretFile.ts'

const one = 'a'.repeat(64)
const two = 'b'.repeat(64)

test('a ring has its keys in order, with any separator', () => {
  const keys = [Buffer.from(one, 'hex'), Buffer.from(two, 'hex')]
  for (const text of [`${one},${two}`, `${one}\n${two}\n`, ` ${one}\r\n${two.toUpperCase()} `, `${one}, ${two}`]) {
    expect(parseKeyRing(text)).toEqual(keys)
  }
  expect(parseKeyRing(' \n')).toEqual([])
  expect(formatKeyRing(keys)).toBe(`${one}\n${two}\n`)
})

test.each([
  [`${one}\n${two.slice(1)}`, 'key 2 does not consist of 64 hexadecimal digits'],
  [`${one}${two}`, 'key 1 does not consist of 64 hexadecimal digits'],
  [`${one}\n${two}\n${one.toUpperCase()}`, 'key 3 repeats key 1'],
])('a damaged ring is refused with an error that names the key by its place (%#)', (text, message) => {
  expect(() => parseKeyRing(text)).toThrow(message)
})

test('a ring is written and read, and a damaged file is named with the remedy', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'souk-ring-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'master-key')
  expect(readKeyRing(path)).toEqual([])
  await writeKeyRing(path, parseKeyRing(`${one},${two}`))
  expect(readKeyRing(path)).toEqual(parseKeyRing(`${one},${two}`))

  writeFileSync(path, `${one}\n${one}\n`)
  expect(() => readKeyRing(path)).toThrow(SecretFileError)
  expect(() => readKeyRing(path)).toThrow(`${path} is damaged: it must contain master keys`)
  expect(() => readKeyRing(path)).toThrow('key 2 repeats key 1. Restore it from a backup, or set SOUK_MASTER_KEY')
  expect(() => readKeyRing(folder)).toThrow(`${folder} cannot be read`)
})

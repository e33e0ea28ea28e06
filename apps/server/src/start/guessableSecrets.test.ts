import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { findGuessableSecrets } from './guessableSecrets.ts'

const none = { databaseUrl: undefined, masterKeys: undefined }
const found = (settings: Partial<Parameters<typeof findGuessableSecrets>[0]>) =>
  findGuessableSecrets({ ...none, ...settings })

test.for([
  'postgres://souk:souk@localhost/souk',
  'postgres://souk:password1@one:5432,two:5432/souk',
  'postgresql://u:short@localhost/souk',
  'postgres://longusername:longusername@localhost/souk',
  'postgres://souk:@localhost/souk',
])('the password of %s is guessable', (databaseUrl) => {
  expect(found({ databaseUrl })).toEqual(['DATABASE_URL'])
})

test('generated passwords, and connections without one, are not guessable', () => {
  const password = randomBytes(24).toString('hex')
  expect(found({ databaseUrl: `postgres://souk:${password}@localhost/souk` })).toEqual([])
  expect(found({ databaseUrl: 'postgres://souk@localhost/souk' })).toEqual([])
})

test('keys of examples are guessable, random ones are not', () => {
  const pattern = Buffer.from('0123456789abcdef'.repeat(4), 'hex')
  expect(found({ masterKeys: [randomBytes(32), pattern] })).toEqual(['SOUK_MASTER_KEY'])
  expect(found({ masterKeys: [Buffer.alloc(32)] })).toEqual(['SOUK_MASTER_KEY'])
  expect(found({ masterKeys: [randomBytes(32)] })).toEqual([])
})

import type { PasswordWeakness } from '@souk/contract'
import { expect, test } from 'vitest'
import { requireStrongPassword } from './passwordStrength.ts'

const owner = { username: 'layla.haddad@example.com', name: 'Layla Al-Mansour' }
const weaknessOf = (password: string) =>
  requireStrongPassword(password, owner).then(
    () => null,
    (error: { code: string; data?: { weakness: PasswordWeakness } }) => error.data?.weakness ?? error.code,
  )

test.each<[string, PasswordWeakness]>([
  ['1234567890', 'common'],
  ['qwertyuiop', 'common'],
  ['password1234', 'similarToCommon'],
  ['P@ssw0rd1234', 'similarToCommon'],
  ['governments', 'word'],
  ['tuesdaymorning', 'words'],
  ['layla.haddad@example.com', 'personal'],
  ['Mansour2026', 'personal'],
  ['LaylaAl-Mansour', 'personal'],
  ['aaaaaaaaaaaa', 'repeated'],
  ['souksouksouk', 'repeated'],
  ['abcdefghijkl', 'sequence'],
  ['1990-12-24', 'date'],
  ['a'.repeat(200), 'repeated'],
])('rejects %s', async (password, weakness) => {
  expect(await weaknessOf(password)).toBe(weakness)
})

test.each([
  'correct horse battery staple',
  'kT8#mQ2!xZ',
  'long enough now',
  '一只猫坐在屋顶上看月亮',
  'مرحبا بالعالم اليوم',
])('accepts %s', async (password) => {
  expect(await weaknessOf(password)).toBeNull()
})

test('says why the password is weak and what to do', async () => {
  await expect(requireStrongPassword('password1234', owner)).rejects.toThrow(
    'The password is too easy to guess. It is similar to a common password. Choose several uncommon words.',
  )
})

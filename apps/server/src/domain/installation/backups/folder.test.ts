import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { day } from '@souk/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { soukError } from '../../../../test/soukError.ts'
import { listBackups, nameBackup, pruneBackups } from './index.ts'

const now = Date.parse('2026-12-01T02:00:00Z')
const [key, oldKey, foreignKey] = ['a', 'b', 'c'].map((digit) => digit.repeat(16)) as [string, string, string]
const nameOf = (age: number, keyId = key) => nameBackup(now - age * day, keyId)

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-retention-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const write = (...names: string[]) => Promise.all(names.map((name) => writeFile(join(folder, name), name)))
const prune = (daily: number) =>
  pruneBackups(folder, { keyIds: [oldKey, key], newest: now, retention: { daily, weekly: 0, monthly: 0 }, now })

test('backups are named after their time and their master key', async () => {
  expect(nameOf(0)).toBe('souk-20261201T020000Z-aaaaaaaaaaaaaaaa.age')
  await write(nameOf(0), nameOf(1, oldKey))
  expect(await listBackups(folder)).toEqual(
    expect.arrayContaining([
      { path: join(folder, nameOf(0)), time: now, keyId: key },
      { path: join(folder, nameOf(1, oldKey)), time: now - day, keyId: oldKey },
    ]),
  )
  await expect(listBackups(join(folder, 'missing'))).rejects.toThrow(soukError('backup_unreadable'))
})

test('expired backups are deleted, also of earlier keys, and nothing else', async () => {
  const old = nameOf(9)
  const foreign = [
    nameOf(9, foreignKey),
    'souk.age',
    'souk-2026-11-21.age',
    `copy-${old}`,
    `${old}.sha256`,
    old.replace('1122T', '1131T'),
    old.toUpperCase(),
  ]
  await write(nameOf(0), nameOf(1, oldKey), nameOf(2, oldKey), old, ...foreign)
  await mkdir(join(folder, nameOf(8)))
  await symlink(join(folder, nameOf(0)), join(folder, nameOf(7)))

  const deleted = await prune(2)
  expect(deleted.toSorted()).toEqual([old, nameOf(2, oldKey)].map((name) => join(folder, name)).toSorted())
  const left = [nameOf(0), nameOf(1, oldKey), nameOf(8), nameOf(7), ...foreign]
  expect((await readdir(folder)).toSorted()).toEqual(left.toSorted())
  expect(await prune(2)).toEqual([])
})

test('drafts of commands that were killed are deleted, and those that are being written stay', async () => {
  const [abandoned, growing, other] = [`${nameOf(3)}.part`, `${nameOf(2)}.part`, `${nameOf(3, foreignKey)}.part`]
  await write(nameOf(0), abandoned, growing, other)
  const longAgo = new Date(now - 2 * day)
  for (const name of [abandoned, other]) await utimes(join(folder, name), longAgo, longAgo)
  await utimes(join(folder, growing), new Date(now), new Date(now))
  expect(await prune(1)).toEqual([join(folder, abandoned)])
  expect((await readdir(folder)).toSorted()).toEqual([nameOf(0), growing, other].toSorted())
})

import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { hour, second } from '@souk/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { removeAbandonedUploads, withTemporaryUpload } from './temporaryUploads.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-temporary-'))
  vi.stubEnv('TMPDIR', folder)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

const own = `souk-upload-${hostname().replaceAll(/[^\w.]/g, '_')}`

test('a temporary file is deleted with its folder, even after an error', async () => {
  const work = withTemporaryUpload(async (path) => {
    await writeFile(path, 'x')
    expect(await readdir(folder)).toEqual([expect.stringMatching(`^${own}-${process.pid}-`)])
    throw new Error('failed')
  })
  await expect(work).rejects.toThrow('failed')
  expect(await readdir(folder)).toEqual([])
})

test('a start deletes what killed processes left, and nothing of others', async () => {
  const { pid: dead } = spawnSync('true')
  const abandoned = [`${own}-${dead}-a`, `${own}-${process.pid}-b`]
  const others = [`${own}-${process.ppid}-c`, `souk-upload-elsewhere-${dead}-d`, 'souk-other']
  for (const name of [...abandoned, ...others]) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'archive'), 'x')
  }
  // Files of an earlier version.
  for (const name of ['souk-upload-new', 'souk-upload-old']) await writeFile(join(folder, name), 'x')
  const yesterday = (Date.now() - 25 * hour) / second
  await utimes(join(folder, 'souk-upload-old'), yesterday, yesterday)
  await removeAbandonedUploads()
  expect((await readdir(folder)).sort()).toEqual([...others, 'souk-upload-new'].sort())
})

import { expect, test } from 'vitest'
import { memoryStore } from '../../test/memoryStore.ts'
import { hostFiles } from './hostFiles.ts'

// Files show no overlay.
const overlays = {} as never
const dataUrl = (bytes: number) => `data:image/png;base64,${Buffer.alloc(bytes).toString('base64')}`

test('keeps files until they are removed, at most 10 MB in all', async () => {
  const files = hostFiles('app', memoryStore())
  await files.writeFile({ path: 'a', data: dataUrl(6 * 1024 ** 2) }, overlays)
  await expect(files.writeFile({ path: 'b', data: dataUrl(4 * 1024 ** 2 + 1) }, overlays)).rejects.toMatchObject({
    errMsg: 'writeFile:fail the files are full: the limit is 10 MB',
  })
  await files.writeFile({ path: 'b', data: dataUrl(4 * 1024 ** 2) }, overlays)
  // A replaced file counts once.
  await files.writeFile({ path: 'a', data: dataUrl(2) }, overlays)
  expect((await files.readFiles({}, overlays)).files).toEqual([
    { path: 'a', data: dataUrl(2), createTime: expect.any(Number) },
    { path: 'b', data: dataUrl(4 * 1024 ** 2), createTime: expect.any(Number) },
  ])
  await files.removeFile({ path: 'b' }, overlays)
  expect((await files.readFiles({}, overlays)).files.map(({ path }) => path)).toEqual(['a'])
})

test('keeps at most 1,000 files, even if they are empty', async () => {
  const store = memoryStore()
  const files = hostFiles('app', store)
  for (let number = 0; number < 1000; number++) await store.set(`${number}`, JSON.stringify({ data: dataUrl(0) }))
  await expect(files.writeFile({ path: 'one more', data: dataUrl(0) }, overlays)).rejects.toMatchObject({
    errMsg: 'writeFile:fail the files are full: the limit is 1000 files',
  })
  await files.writeFile({ path: '7', data: dataUrl(1) }, overlays)
})

import { hostFiles } from '@souk/shell/device/hostFiles'
import { expect, test, vi } from 'vitest'
import { memoryStore } from '../../../shell/test/memoryStore.ts'
import type { Carrier } from '../carriers/carrier.ts'
import { setCarrier } from '../carriers/current.ts'
import { absoluteUrl } from './absoluteUrl.ts'
import { userFolder } from './appFilePaths.ts'
import { fileSystemManager, getSavedFileList, saveFile } from './fileSystem.ts'
import { tempPathOf } from './files.ts'

// A constant of the build.
Object.assign(globalThis, { __SOUK_UNI_APP__: false })

const { kept, ...store } = memoryStore()
const host = hostFiles('app', store)
const call = (method: string, params: never) => (host as Record<string, (...args: never[]) => unknown>)[method]!(params)
setCarrier({ call, fileAddresses: new Map() } as unknown as Carrier)
const path = `${userFolder}/codes/one.png`

test('writes, reads, lists and removes files, immediately or with callbacks', async () => {
  const files = await fileSystemManager()
  files.writeFileSync(path, 'AQID', 'base64')
  expect([...new Uint8Array(files.readFileSync(path) as ArrayBuffer)]).toEqual([1, 2, 3])
  expect(absoluteUrl(path)).toMatch(/^blob:/)
  const written = vi.fn()
  files.writeFile({ filePath: `${userFolder}/text.txt`, data: 'مرحبا', success: written })
  await vi.waitFor(() => expect(written).toHaveBeenCalledWith({ errMsg: 'writeFile:ok' }))
  expect(files.readFileSync(`${userFolder}/text.txt`, 'utf8')).toBe('مرحبا')
  expect(files.readdirSync(userFolder)).toEqual(['codes', 'text.txt'])
  files.accessSync(`${userFolder}/codes`)
  expect([...kept.keys()]).toEqual([path, `${userFolder}/text.txt`])
  files.unlinkSync(path)
  expect(() => files.accessSync(path)).toThrow(`accessSync:fail no such file "${path}"`)
  await vi.waitFor(() => expect(kept.has(path)).toBe(false))
})

test('fails for paths outside its folders, full files and functions that it does not have', async () => {
  const files = await fileSystemManager()
  expect(() => files.writeFileSync('/etc/passwd', '')).toThrow('writeFileSync:fail permission denied')
  const fail = vi.fn()
  files.writeFile({ filePath: path, data: new ArrayBuffer(11 * 1024 ** 2), fail })
  await vi.waitFor(() => expect(fail).toHaveBeenCalled())
  expect(fail.mock.calls[0]![0]).toMatchObject({ errMsg: 'writeFile:fail the files are full: the limit is 10 MB' })
  const unsupported = vi.fn()
  ;(files as unknown as Record<string, (options: object) => void>).unzip!({ fail: unsupported })
  expect(unsupported).toHaveBeenCalledOnce()
})

test('saves a temporary file under its own path', async () => {
  const tempFilePath = tempPathOf(new Blob(['one'], { type: 'image/jpeg' }))
  const { savedFilePath } = await saveFile({ tempFilePath })
  expect(savedFilePath).toMatch(/^souk-file:\/\/saved\/\d+\.jpg$/)
  expect((await getSavedFileList()).fileList).toEqual([
    { filePath: savedFilePath, size: 3, createTime: expect.any(Number) },
  ])
  const text = await saveFile({ tempFilePath: tempPathOf(new Blob(['a'], { type: 'text/plain; charset=utf-8' })) })
  await vi.waitFor(() => expect(kept.get(text.savedFilePath)).toContain('data:text/plain;charset=utf-8;base64,YQ=='))
  const unknown = await saveFile({ tempFilePath: tempPathOf(new Blob(['?'])) })
  expect(unknown.savedFilePath).toMatch(/^souk-file:\/\/saved\/\d+$/)
  await expect(saveFile({ tempFilePath, filePath: '/tmp/a.jpg' })).rejects.toThrow('permission denied')
})

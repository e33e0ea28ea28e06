import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { setCarrier } from '../carriers/current.ts'
import { canvasToTempFilePath } from './canvasContext.ts'
import {
  chooseFile,
  chooseMedia,
  chooseMessageFile,
  chooseVideo,
  compressImage,
  getFileInfo,
  getVideoInfo,
} from './chooseFiles.ts'
import { removeSavedFile } from './fileSystem.ts'
import { removeTempFile, tempFileLimits, tempPathOf, withUrlOf } from './files.ts'
import { chooseImage } from './imageFile.ts'
import { getRecorderManager } from './recorder.ts'
import { availableFunctions } from './table/index.ts'
import { download } from './transfer.ts'

/** Blob URLs that are not revoked. */
let urls: Set<string>
let canPlay: boolean
let chosen: File[]

beforeEach(() => {
  urls = new Set()
  canPlay = true
  chosen = [new File(['one'], '1.mp4', { type: 'video/mp4' }), new File(['two'], '2.mp4', { type: 'video/mp4' })]
  const { createObjectURL, revokeObjectURL } = URL
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    const url = createObjectURL(file)
    urls.add(url)
    return url
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => {
    revokeObjectURL(url)
    urls.delete(url)
  })
  vi.stubGlobal('document', { createElement: (name: string) => elements[name]!() })
  const call = async (method: string) =>
    method === 'readRecording' ? { data: 'data:audio/webm;base64,AA==', duration: 1 } : {}
  setCarrier({ call } as never)
  vi.stubGlobal('__SOUK_PLATFORM__', 'H5')
  vi.stubGlobal('createImageBitmap', async () => ({ width: 4, height: 2, close: () => {} }))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const elements: Record<string, () => object> = {
  input: () => ({
    click(this: { onchange(): void; files: File[] }) {
      this.files = chosen
      this.onchange()
    },
  }),
  video: () => ({
    duration: 3,
    videoWidth: 16,
    videoHeight: 9,
    set src(_: string) {
      const { onloadedmetadata, onerror } = this as unknown as Record<string, () => void>
      queueMicrotask(() => (canPlay ? onloadedmetadata!() : onerror!()))
    },
    removeAttribute: () => {},
    load: () => {},
  }),
  canvas: () => ({
    getContext: () => ({ drawImage: () => {} }),
    toBlob: (done: (file: Blob) => void) => done(new Blob(['jpeg'])),
  }),
}

/** Calls that get or make files, and the temporary paths in their results. */
const calls: Record<string, () => Promise<string[]>> = {
  getVideoInfo: async () => {
    await getVideoInfo({ src: 'data:video/mp4;base64,AA==' })
    return []
  },
  chooseImage: async () => (await chooseImage({})).tempFilePaths,
  chooseFile: async () => (await chooseFile({})).tempFilePaths,
  chooseMessageFile: async () => (await chooseMessageFile({})).tempFilePaths,
  chooseVideo: async () => {
    chosen.length = 1
    return [(await chooseVideo({})).tempFilePath]
  },
  chooseMedia: async () => (await chooseMedia({})).tempFiles.map(({ tempFilePath }) => tempFilePath),
  compressImage: async () => [(await compressImage({ src: 'data:image/png;base64,AA==' })).tempFilePath],
  canvasToTempFilePath: async () => {
    const canvas = { ...elements.canvas!(), width: 4, height: 2 } as never
    return [(await canvasToTempFilePath({ canvas })).tempFilePath]
  },
  downloadFile: async () => {
    const report = { progress: () => {}, headers: () => {}, signal: new AbortController().signal }
    return [(await download({ url: 'data:text/plain,x' }, report)).tempFilePath]
  },
  getRecorderManager: async () => {
    const recorder = getRecorderManager()
    const stopped = new Promise<string>((resolve) => recorder.onStop(({ tempFilePath }) => resolve(tempFilePath)))
    recorder.start()
    return [await stopped]
  },
}

test('every function that gives temporary files is called here', () => {
  const making = Object.keys(availableFunctions).filter((name) => availableFunctions[name]!.makesTempFiles)
  expect(Object.keys(calls).sort()).toEqual([...making, 'getVideoInfo'].sort())
})

describe.each(Object.keys(calls))('%s', (name) => {
  test.each([true, false])(
    'keeps only the URLs that the app gets, when the browser can play videos: %s',
    async (can) => {
      canPlay = can
      const returned = await calls[name]!().catch((error: Error) => {
        if (can) throw error
        return []
      })
      expect([...urls].sort()).toEqual([...returned].sort())
      for (const path of returned) await removeSavedFile({ filePath: path })
      expect([...urls]).toEqual([])
    },
  )

  test('gives files that are removed when many newer ones need their place', async () => {
    const returned = await calls[name]!()
    const newer = Array.from({ length: tempFileLimits.files }, () => tempPathOf(new Blob(['x'])))
    expect([...urls]).toEqual(newer)
    for (const path of returned) await expect(getFileInfo({ filePath: path })).rejects.toThrow('use saveFile to keep')
    expect(await getFileInfo({ filePath: newer[0]! })).toEqual({ size: 1 })
    for (const path of newer) removeTempFile(path)
  })
})

const large = (parts: number, file = new Blob(['x'])) =>
  Object.defineProperty(file, 'size', { value: tempFileLimits.bytes / parts })

test('keeps as many bytes as the limit says, the newest file in any case, and chosen files, which are on the disk', () => {
  const chosenFile = tempPathOf(large(1, new File(['x'], 'x.mp4')))
  const [first, second] = [tempPathOf(large(2)), tempPathOf(large(2))]
  expect([...urls]).toEqual([chosenFile, first, second])
  const third = tempPathOf(new Blob(['x']))
  expect([...urls]).toEqual([chosenFile, second, third])
  const newest = tempPathOf(large(0.5))
  expect([...urls]).toEqual([chosenFile, newest])
  for (const path of [chosenFile, newest]) removeTempFile(path)
  const again = [tempPathOf(large(2)), tempPathOf(large(2))]
  expect([...urls]).toEqual(again)
  for (const path of again) removeTempFile(path)
})

test('revokes a URL when its use is over, also when it fails', async () => {
  const file = new Blob(['x'])
  expect(await withUrlOf(file, async (url) => urls.has(url))).toBe(true)
  await expect(withUrlOf(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(urls.size).toBe(0)
})

test('removes a temporary file once', () => {
  const path = tempPathOf(new Blob(['x']))
  expect([removeTempFile(path), removeTempFile(path), removeTempFile('blob:other')]).toEqual([true, false, false])
  expect(urls.size).toBe(0)
})

test('only files.ts makes URLs of temporary files', () => {
  const root = join(import.meta.dirname, '..')
  const made = globSync('**/*.{ts,vue}', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts') && /createObjectURL|srcObject/.test(readFileSync(join(root, file), 'utf8')),
  )
  // The other one has the files that the app keeps.
  expect(made.sort()).toEqual(['neu/appFiles.ts', 'neu/files.ts'])
})

test('each file that makes blob URLs also revokes them', () => {
  const root = join(import.meta.dirname, '../../../..')
  const folders = [
    'packages/runtime/src',
    'packages/shell/src',
    'packages/host-view/src',
    'packages/tags/src',
    'apps/host/src',
    'apps/console/src',
  ]
  const uses = globSync(
    folders.map((folder) => `${folder}/**/*.{ts,vue}`),
    { cwd: root },
  )
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => {
      const source = readFileSync(join(root, file), 'utf8')
      const count = (name: string) => source.split(`URL.${name}(`).length - 1
      return { file, made: count('createObjectURL'), revoked: count('revokeObjectURL') }
    })
    .filter(({ made }) => made > 0)
  expect(uses.length).toBeGreaterThan(3)
  expect(uses.filter(({ made, revoked }) => made !== revoked)).toEqual([])
})

import { contentSize, filesProblem, type KeptFile } from '@souk/contract/bridge'
import { ApiError } from '../apiError.ts'
import type { HostMethods } from '../host.ts'
import { createQueue } from '../queue.ts'
import { databaseStore, type EntryStore } from './hostStorage.ts'

type FileMethods = Required<Pick<HostMethods, 'readFiles' | 'writeFile' | 'removeFile'>>

/**
 * Creates the methods that keep files of one mini app. The host enforces the limits of 10 MB and 1,000 files itself,
 * and runs calls in order. `store` defaults to IndexedDB.
 */
export function hostFiles(appid: string, store: EntryStore = databaseStore(`files:${appid}`)): FileMethods {
  const { add: enqueue } = createQueue()
  const read = async () =>
    (await store.read()).map(([path, text]): KeptFile => ({ path, ...(JSON.parse(text) as Omit<KeptFile, 'path'>) }))

  return {
    readFiles: () => enqueue(async () => ({ files: await read() })),
    writeFile: ({ path, data }) =>
      enqueue(async () => {
        const others = (await read()).filter((file) => file.path !== path)
        const problem = filesProblem([...others.map((file) => file.data), data].map(contentSize))
        if (problem) throw new ApiError(`writeFile:fail ${problem}`)
        await store.set(path, JSON.stringify({ data, createTime: Date.now() }))
        return {}
      }),
    removeFile: ({ path }) =>
      enqueue(async () => {
        await store.remove(path)
        return {}
      }),
  }
}

import { beforeAll, expect, it, vi } from 'vitest'
import { memoryApp } from '../../test/memoryApp.ts'
import { services } from './services.ts'
import { availableFunctions, ignoredOptions } from './table/index.ts'

// Constants of the build.
Object.assign(globalThis, { __SOUK_PLATFORM__: 'App', __SOUK_UNI_APP__: false })

/** Read when a tab bar, a connection or a canvas is found. */
const later = 'setTabBarStyle closeSocket canvasToTempFilePath canvasGetImageData canvasPutImageData'.split(' ')

const takingOptions = Object.entries(availableFunctions).flatMap(([name, { options = {} }]) =>
  Object.keys(options).length > 0 && !later.includes(name) ? [[name, Object.keys(options)] as const] : [],
)

const values: Record<string, unknown> = { url: '/pages/a/a', urls: ['a'], sources: ['a'], itemList: ['a'] }

/** Calls a function, and returns the options that it reads, now or later. */
function readOptions(name: string, all: readonly string[]): Set<string> {
  const read = new Set<string>()
  const options = new Proxy({} as Record<string, unknown>, {
    get: (_, option) => {
      read.add(String(option))
      return values[String(option)]
    },
    has: (_, option) => Boolean(read.add(String(option))),
    // Spread or enumerated: all of them.
    ownKeys: () => {
      for (const option of all) read.add(option)
      return []
    },
  })
  const called = services[name as 'login'] as unknown as (options: object) => unknown
  ;(async () => called(options))().catch(() => {})
  return read
}

beforeAll(async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { carrier } = await memoryApp({ 'pages/a/a': {} })
  // Readings and answers of a host would not end.
  Object.assign(carrier, { call: () => new Promise(() => {}) })
})

it.each(takingOptions)('%s reads its options, except those that have no effect by the table', async (name, all) => {
  const read = readOptions(name, all)
  const ignored = ignoredOptions(availableFunctions[name]!)
  await expect.poll(() => all.filter((option) => !read.has(option)).sort()).toEqual(ignored.sort())
})

import { afterEach, expect, it, vi } from 'vitest'
import { connectSocket } from './socket.ts'

afterEach(() => vi.unstubAllGlobals())

it('calls success and complete once, even if success throws, and reports its error', () => {
  const reportError = vi.fn()
  vi.stubGlobal('__SOUK_PLATFORM__', 'H5')
  vi.stubGlobal('document', { baseURI: 'https://app.example/' })
  vi.stubGlobal('reportError', reportError)
  vi.stubGlobal(
    'WebSocket',
    class {
      static readonly OPEN = 1
      readonly readyState = 1
      send() {}
    },
  )
  const bug = new Error('a bug of the page')
  const success = vi.fn(() => {
    throw bug
  })
  const [fail, complete] = [vi.fn(), vi.fn()]
  connectSocket({ url: 'wss://api.example/' }).send({ data: 'hello', success, fail, complete })
  expect(success).toHaveBeenCalledExactlyOnceWith({ errMsg: 'sendSocketMessage:ok' })
  expect(complete).toHaveBeenCalledExactlyOnceWith({ errMsg: 'sendSocketMessage:ok' })
  expect(fail).not.toHaveBeenCalled()
  expect(reportError).toHaveBeenCalledExactlyOnceWith(bug)
})

import { afterEach, expect, it, vi } from 'vitest'
import { connectSocket, onSocketClose, sendSocketMessage } from './socket.ts'
import { setTimeouts } from './timeouts.ts'

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

class TestSocket {
  static readonly OPEN = 1
  static readonly opened: TestSocket[] = []
  readonly readyState = 1
  readonly sent: unknown[] = []
  onclose = (_: object) => {}
  constructor(url: string) {
    if (!url.startsWith('wss:')) throw new Error(`${url} is not an address of a WebSocket`)
    TestSocket.opened.push(this)
  }
  send(data: unknown) {
    this.sent.push(data)
  }
}

function stubSocket() {
  const reportError = vi.fn()
  vi.stubGlobal('__SOUK_PLATFORM__', 'H5')
  vi.stubGlobal('document', { baseURI: 'https://app.example/' })
  vi.stubGlobal('reportError', reportError)
  vi.stubGlobal('WebSocket', TestSocket)
  return reportError
}

it('takes listeners, and fails to send, if the address is wrong', async () => {
  stubSocket()
  const task = connectSocket({ url: 'ftp://api.example/' })
  const failed = expect(task).rejects.toThrow('ftp://api.example/ is not an address')
  task.onOpen(() => {})
  const fail = vi.fn()
  task.send({ data: 'hello', fail })
  task.close({ fail })
  const reason = 'fail the connection is not open'
  expect(fail.mock.calls).toEqual([[{ errMsg: `sendSocketMessage:${reason}` }], [{ errMsg: `closeSocket:${reason}` }]])
  await failed
})

it('forgets a closed connection and calls the other listeners although one throws', async () => {
  const reportError = stubSocket()
  connectSocket({ url: 'wss://first.example/' })
  const task = connectSocket({ url: 'wss://second.example/' })
  const [first, second] = TestSocket.opened.slice(-2) as [TestSocket, TestSocket]
  const bug = new Error('a bug of the page')
  const closed = vi.fn()
  task.onClose(() => {
    throw bug
  })
  task.onClose(closed)
  onSocketClose(closed)
  second.onclose({ code: 1006, reason: '' })
  expect(closed.mock.calls).toEqual([[{ code: 1006, reason: '' }], [{ code: 1006, reason: '' }]])
  expect(reportError).toHaveBeenCalledExactlyOnceWith(bug)
  await sendSocketMessage({ data: 'hello' })
  expect([first.sent, second.sent]).toEqual([['hello'], []])
})

it('gives up after the timeout of manifest.json, and not once it is open', async () => {
  vi.useFakeTimers()
  stubSocket()
  class SlowSocket extends TestSocket {
    onopen = () => {}
    onerror = () => {}
    close() {
      this.onerror()
      this.onclose({ code: 1006, reason: '' })
    }
  }
  vi.stubGlobal('WebSocket', SlowSocket)
  setTimeouts({ connectSocket: 5000 })
  const errors: string[] = []
  const connect = (timeout?: number) => {
    const task = connectSocket({ url: 'wss://api.example/', ...(timeout && { timeout }) })
    task.onError(({ errMsg }) => errors.push(errMsg))
    return TestSocket.opened.at(-1) as SlowSocket
  }
  try {
    connect()
    vi.advanceTimersByTime(4999)
    expect(errors).toEqual([])
    vi.advanceTimersByTime(1)
    expect(errors).toEqual(['onSocketError:fail timeout'])
    connect(100).onopen()
    vi.advanceTimersByTime(60_000)
    expect(errors).toHaveLength(1)
  } finally {
    setTimeouts({})
    vi.useRealTimers()
  }
})

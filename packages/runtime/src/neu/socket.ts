import { callListeners } from '../page/callListeners.ts'
import { absoluteUrl } from './absoluteUrl.ts'
import { checkDomain } from './domains.ts'
import type { Callbacks, SocketTask } from './table/network.ts'
import type { Options } from './table/types.ts'
import { defaultTimeout } from './timeouts.ts'

type Listener = (event: never) => void
type EventName = 'Open' | 'Message' | 'Error' | 'Close'

interface Connection {
  socket: WebSocket
  emit(name: EventName, event: object): void
}

const globalListeners: { [N in EventName]?: Listener } = {}
/** Open or opening connections, the latest last. */
const connections: Connection[] = []

/** Opens a WebSocket. The promise rejects if the host is not approved or the address is invalid. */
export function connectSocket(options: Options<'connectSocket'>): Promise<object> & SocketTask {
  const listeners: Record<EventName, Listener[]> = { Open: [], Message: [], Error: [], Close: [] }
  let connection: Connection | undefined
  const opened = new Promise<object>((resolve) => {
    connection = open(options, listeners)
    resolve({})
  })
  const task: SocketTask = {
    send: (options) => report('sendSocketMessage', options, () => send(connection, options.data)),
    close: (options = {}) => report('closeSocket', options, () => close(connection, options)),
    onOpen: (listener) => void listeners.Open.push(listener),
    onMessage: (listener) => void listeners.Message.push(listener),
    onError: (listener) => void listeners.Error.push(listener),
    onClose: (listener) => void listeners.Close.push(listener),
  }
  // Also without a connection, since apps add their listeners before they see the failure.
  return Object.assign(opened, task)
}

/** @throws Error if the host is not approved or the address is invalid */
function open(
  { url, protocols, timeout = defaultTimeout('connectSocket') }: Options<'connectSocket'>,
  listeners: Record<EventName, Listener[]>,
): Connection {
  checkDomain('request', url)
  const socket = new WebSocket(absoluteUrl(url), protocols)
  socket.binaryType = 'arraybuffer'
  const connection: Connection = {
    socket,
    emit(name, event) {
      const last = connections.at(-1) === connection ? globalListeners[name] : undefined
      callListeners([...listeners[name], ...(last ? [last] : [])] as ((event: object) => void)[], event)
    },
  }
  connections.push(connection)
  let reason = 'the connection failed'
  const timer = setTimeout(() => {
    reason = 'timeout'
    // Emits the error, too.
    socket.close()
  }, timeout)
  socket.onopen = () => {
    clearTimeout(timer)
    connection.emit('Open', { header: {} })
  }
  socket.onmessage = ({ data }) => connection.emit('Message', { data })
  socket.onerror = () => connection.emit('Error', { errMsg: `onSocketError:fail ${reason}` })
  socket.onclose = ({ code, reason }) => {
    clearTimeout(timer)
    connection.emit('Close', { code, reason })
    connections.splice(connections.indexOf(connection), 1)
  }
  return connection
}

/** Sends over the latest connection. */
export async function sendSocketMessage({ data }: Options<'sendSocketMessage'>): Promise<void> {
  send(latest(), data)
}

/** Closes the latest connection. */
export async function closeSocket(options: Options<'closeSocket'> = {}): Promise<void> {
  close(latest(), options)
}

export const onSocketOpen = (listener: (event: { header: object }) => void): void => listen('Open', listener)
export const onSocketMessage = (listener: (event: { data: string | ArrayBuffer }) => void): void =>
  listen('Message', listener)
export const onSocketError = (listener: (event: { errMsg: string }) => void): void => listen('Error', listener)
export const onSocketClose = (listener: (event: { code: number; reason: string }) => void): void =>
  listen('Close', listener)

function listen(name: EventName, listener: Listener): void {
  globalListeners[name] = listener
}

function latest(): Connection {
  const connection = connections.at(-1)
  if (!connection) throw new Error('no connection is open')
  return connection
}

function send(connection: Connection | undefined, data: string | ArrayBuffer): void {
  if (connection?.socket.readyState !== WebSocket.OPEN) throw new Error('the connection is not open')
  connection.socket.send(data)
}

function close(connection: Connection | undefined, { code = 1000, reason = '' }: Options<'closeSocket'>): void {
  if (!connection) throw new Error('the connection is not open')
  connection.socket.close(code, reason)
}

/** Calls the callbacks of a task's method, which never throws. Errors of the callbacks are reported. */
function report(name: string, { success, fail, complete }: Callbacks, run: () => void): void {
  let outcome = { errMsg: `${name}:ok` }
  let callback = success
  try {
    run()
  } catch (error) {
    outcome = { errMsg: `${name}:fail ${(error as Error).message}` }
    callback = fail
  }
  for (const each of [callback, complete]) {
    try {
      each?.(outcome)
    } catch (error) {
      reportError(error)
    }
  }
}

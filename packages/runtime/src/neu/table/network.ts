import { call, event, ignored, inPage, type Off, type On, required, text, type, unchecked } from './entry.ts'

export type Header = Record<string, string>

/** Progress of a running request, in per cent and bytes. */
export interface Progress {
  progress: number
  totalBytesSent?: number
  totalBytesExpectedToSend?: number
  totalBytesWritten?: number
  totalBytesExpectedToWrite?: number
}

/** A running request. */
export interface RequestTask {
  /** Aborts the request, which fails with `abort`. */
  abort(): void
  onHeadersReceived(listener: (event: { header: Header; statusCode: number }) => void): void
  offHeadersReceived(listener?: (event: { header: Header; statusCode: number }) => void): void
  onProgressUpdate(listener: (event: Progress) => void): void
  offProgressUpdate(listener?: (event: Progress) => void): void
}

export interface Callbacks {
  success?: ((result: { errMsg: string }) => void) | undefined
  fail?: ((error: { errMsg: string }) => void) | undefined
  complete?: ((outcome: { errMsg: string }) => void) | undefined
}

interface Closing {
  code?: number | undefined
  reason?: string | undefined
}

/** A connection. Its events also reach the listeners of `onSocketOpen` and similar functions. */
export interface SocketTask {
  send(options: { data: string | ArrayBuffer } & Callbacks): void
  close(options?: Closing & Callbacks): void
  onOpen(listener: (event: { header: object }) => void): void
  onMessage(listener: (event: SocketMessage) => void): void
  onError(listener: (event: { errMsg: string }) => void): void
  onClose(listener: (event: { code: number; reason: string }) => void): void
}

interface SocketMessage {
  // biome-ignore lint/suspicious/noExplicitAny: a string or an ArrayBuffer; the caller knows which
  data: any
}

interface RequestResult {
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows the type of the response
  data: any
  statusCode: number
  header: Header
  cookies: string[]
}

/** `networkType` as reported by the browser: none, wifi, 2g, 3g, 4g, ethernet or unknown. */
interface Network {
  networkType: string
}

type Method = 'OPTIONS' | 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'TRACE' | 'CONNECT'
const url = required(text)
/** In ms. */
const timeout = unchecked<number>()
const ofRequests = { ...inPage, module: 'request' } as const
const ofSockets = { ...inPage, module: 'socket' } as const
const ofNetwork = { ...inPage, module: 'device' } as const

/** Requests, connections and the network. */
export const network = {
  /** Sends a request. Any HTTP status is a success; failures are `timeout`, `abort` and network errors. */
  request: call({
    ...ofRequests,
    options: {
      url,
      data: unchecked<string | object | ArrayBuffer>(),
      header: unchecked<Record<string, string | number | boolean | null | undefined>>(),
      method: unchecked<Method | Lowercase<Method>>(),
      /** In ms. */
      timeout,
      /** `json` parses the response if it is valid JSON. */
      dataType: unchecked<string>(),
      responseType: unchecked<'text' | 'arraybuffer'>(),
      /** H5: sends cookies to other origins. */
      withCredentials: unchecked<boolean>(),
      sslVerify: ignored<boolean>(),
      firstIpv4: ignored<boolean>(),
      enableHttp2: ignored<boolean>(),
      enableQuic: ignored<boolean>(),
      enableCache: ignored<boolean>(),
      enableHttpDNS: ignored<boolean>(),
      httpDNSServiceId: ignored<string>(),
      enableChunked: ignored<boolean>(),
      forceCellularNetwork: ignored<boolean>(),
      enableCookie: ignored<boolean>(),
      cloudCache: ignored<boolean | object>(),
      defer: ignored<boolean>(),
    },
    result: type<RequestResult>(),
    task: type<RequestTask>(),
  }),
  uploadFile: call({
    ...ofRequests,
    options: {
      url,
      /** As returned by `chooseImage`. */
      filePath: unchecked<string>(),
      file: unchecked<File | Blob>(),
      /** Name of the form field. */
      name: unchecked<string>(),
      /** Files to upload in one request, instead of the three fields above. */
      files: unchecked<{ name?: string; uri?: string; file?: File | Blob }[]>(),
      header: unchecked<Header>(),
      formData: unchecked<Record<string, unknown>>(),
      /** In ms. */
      timeout,
      fileType: ignored<'image' | 'video' | 'audio'>(),
    },
    result: type<{ data: string; statusCode: number }>(),
    task: type<RequestTask>(),
  }),
  /** Downloads a file. `tempFilePath` is valid until the app is closed or has many newer files. */
  downloadFile: call({
    ...ofRequests,
    makesTempFiles: true,
    options: {
      url,
      header: unchecked<Header>(),
      /** In ms. */
      timeout,
      filePath: ignored<string>(),
    },
    result: type<{ tempFilePath: string; statusCode: number }>(),
    task: type<RequestTask>(),
  }),
  /** Opens a WebSocket. The promise rejects if the host is not approved or the address is invalid. */
  connectSocket: call({
    ...ofSockets,
    options: {
      url,
      protocols: unchecked<string[]>(),
      /** Time to connect, in ms. */
      timeout,
      multiple: ignored<boolean>(),
      header: ignored<object>(),
      method: ignored<Method>(),
    },
    task: type<SocketTask>(),
  }),
  /** Sends over the latest connection. */
  sendSocketMessage: call({ ...ofSockets, options: { data: required(unchecked<string | ArrayBuffer>()) } }),
  /** Closes the latest connection. */
  closeSocket: call({ ...ofSockets, options: { code: unchecked<number>(), reason: unchecked<string>() } }),
  onSocketOpen: event({ ...ofSockets, is: type<On<{ header: object }>>() }),
  onSocketMessage: event({ ...ofSockets, is: type<On<SocketMessage>>() }),
  onSocketError: event({ ...ofSockets, is: type<On<{ errMsg: string }>>() }),
  onSocketClose: event({ ...ofSockets, is: type<On<{ code: number; reason: string }>>() }),
  getNetworkType: call({ ...ofNetwork, result: type<Network>() }),
  onNetworkStatusChange: event({ ...ofNetwork, is: type<On<Network & { isConnected: boolean }>>() }),
  offNetworkStatusChange: event({ ...ofNetwork, is: type<Off<Network & { isConnected: boolean }>>() }),
}

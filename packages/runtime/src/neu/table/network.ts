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
  /** Adds a listener to the headers of the response. */
  onHeadersReceived(listener: (event: { header: Header; statusCode: number }) => void): void
  /** Removes a listener, or all of them. */
  offHeadersReceived(listener?: (event: { header: Header; statusCode: number }) => void): void
  /** Adds a listener to the progress. */
  onProgressUpdate(listener: (event: Progress) => void): void
  /** Removes a listener, or all of them. */
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
  /** Sends a text or an ArrayBuffer. */
  send(options: { data: string | ArrayBuffer } & Callbacks): void
  /** Closes the connection, with a `code` and a `reason`. */
  close(options?: Closing & Callbacks): void
  /** Adds a listener for when it is open. */
  onOpen(listener: (event: { header: object }) => void): void
  /** Adds a listener to messages. */
  onMessage(listener: (event: SocketMessage) => void): void
  /** Adds a listener to failures. */
  onError(listener: (event: { errMsg: string }) => void): void
  /** Adds a listener for when it is closed. */
  onClose(listener: (event: { code: number; reason: string }) => void): void
}

interface SocketMessage {
  /** The message: a text or an ArrayBuffer. */
  // biome-ignore lint/suspicious/noExplicitAny: a string or an ArrayBuffer; the caller knows which
  data: any
}

interface RequestResult {
  /** The response: parsed JSON, text, or an ArrayBuffer. */
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows the type of the response
  data: any
  /** HTTP status, also one of an error such as 404. */
  statusCode: number
  /** Headers of the response, with names in lower case. */
  header: Header
  /** Always empty: scripts of browsers cannot read cookies. */
  cookies: string[]
}

/** `networkType` as reported by the browser: none, wifi, 2g, 3g, 4g, ethernet or unknown. */
interface Network {
  /** none, wifi, 2g, 3g, 4g, ethernet or unknown. */
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
    fails: ['notApproved', 'timeout', 'aborted'],
    options: {
      /** Absolute address, http or https, of an approved host. */
      url,
      /**
       * Body of the request; with GET it becomes the query. An object is sent as JSON, or as a form if its content type
       * says so.
       */
      data: unchecked<string | object | ArrayBuffer>(),
      /** Headers of the request. */
      header: unchecked<Record<string, string | number | boolean | null | undefined>>(),
      /** Method of the request; `GET` by default. */
      method: unchecked<Method | Lowercase<Method>>(),
      /** Longest time in ms; 60000 by default, or what `networkTimeout` of manifest.json says. */
      timeout,
      /** `json` parses the response if it is valid JSON. */
      dataType: unchecked<string>(),
      /** How to return the response; `text` by default. */
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
  /** Uploads files as a form. Any HTTP status is a success. */
  uploadFile: call({
    ...ofRequests,
    fails: ['notApproved', 'timeout', 'aborted', 'unreachable', 'fileUnreadable'],
    options: {
      /** Absolute address, http or https, of an approved host. */
      url,
      /** As returned by `chooseImage`. */
      filePath: unchecked<string>(),
      /** A file, instead of its path. */
      file: unchecked<File | Blob>(),
      /** Name of the form field. */
      name: unchecked<string>(),
      /** Files to upload in one request, instead of `filePath`, `file` and `name`. */
      files:
        unchecked<
          {
            /** Name of the form field; `file` by default. */
            name?: string
            /** Path of the file. */
            uri?: string
            /** A file, instead of its path. */
            file?: File | Blob
          }[]
        >(),
      /** Headers of the request. */
      header: unchecked<Header>(),
      /** Other fields of the form. */
      formData: unchecked<Record<string, unknown>>(),
      /** Longest time in ms; 60000 by default, or what `networkTimeout` of manifest.json says. */
      timeout,
      fileType: ignored<'image' | 'video' | 'audio'>(),
    },
    result: type<{
      /** The response as text. */
      data: string
      /** HTTP status. */
      statusCode: number
    }>(),
    task: type<RequestTask>(),
  }),
  /** Downloads a file. `tempFilePath` is valid until the app is closed or has many newer files. */
  downloadFile: call({
    ...ofRequests,
    fails: ['notApproved', 'timeout', 'aborted'],
    makesTempFiles: true,
    options: {
      /** Absolute address, http or https, of an approved host. */
      url,
      /** Headers of the request. */
      header: unchecked<Header>(),
      /** Longest time in ms; 60000 by default, or what `networkTimeout` of manifest.json says. */
      timeout,
      filePath: ignored<string>(),
    },
    result: type<{
      /** Path of the temporary file. */
      tempFilePath: string
      /** HTTP status. */
      statusCode: number
    }>(),
    task: type<RequestTask>(),
  }),
  /** Opens a WebSocket. The promise rejects if the host is not approved or the address is invalid. */
  connectSocket: call({
    ...ofSockets,
    fails: ['notApproved'],
    options: {
      /** Absolute address, ws or wss, of an approved host. */
      url,
      /** Subprotocols of the WebSocket. */
      protocols: unchecked<string[]>(),
      /** Longest time to connect, in ms; 60000 by default. */
      timeout,
      multiple: ignored<boolean>(),
      header: ignored<object>(),
      method: ignored<Method>(),
    },
    task: type<SocketTask>(),
  }),
  /** Sends over the latest connection. */
  sendSocketMessage: call({
    ...ofSockets,
    fails: ['noConnection'],
    options: {
      /** What to send. */
      data: required(unchecked<string | ArrayBuffer>()),
    },
  }),
  /** Closes the latest connection. */
  closeSocket: call({
    ...ofSockets,
    fails: ['noConnection'],
    options: {
      /** Code of the close; 1000 by default, which is a usual end. */
      code: unchecked<number>(),
      /** Reason of the close, at most 123 bytes. */
      reason: unchecked<string>(),
    },
  }),
  /** Adds a listener for when a connection is open. */
  onSocketOpen: event({
    ...ofSockets,
    is: type<
      On<{
        /** Empty: browsers do not tell headers of WebSockets. */
        header: object
      }>
    >(),
  }),
  /** Adds a listener to messages of connections. */
  onSocketMessage: event({ ...ofSockets, is: type<On<SocketMessage>>() }),
  /** Adds a listener to connections that fail. */
  onSocketError: event({
    ...ofSockets,
    is: type<
      On<{
        /** What failed. */
        errMsg: string
      }>
    >(),
  }),
  /** Adds a listener for when a connection is closed. */
  onSocketClose: event({
    ...ofSockets,
    is: type<
      On<{
        /** Code of the close. */
        code: number
        /** Reason of the close; empty if there is none. */
        reason: string
      }>
    >(),
  }),
  /** Returns what kind of network the device has, as far as the browser knows it. */
  getNetworkType: call({ ...ofNetwork, result: type<Network>() }),
  /** Adds a listener for when the network changes. */
  onNetworkStatusChange: event({
    ...ofNetwork,
    is: type<
      On<
        Network & {
          /** Whether there is a network. */
          isConnected: boolean
        }
      >
    >(),
  }),
  /** Removes a listener, or all of them. */
  offNetworkStatusChange: event({
    ...ofNetwork,
    is: type<
      Off<
        Network & {
          /** Whether there is a network. */
          isConnected: boolean
        }
      >
    >(),
  }),
}

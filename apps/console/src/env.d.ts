/// <reference types="vite/client" />

declare module 'virtual:souk-operations' {
  /** Method, path and body type of each console operation, by id. */
  export const operations: Record<string, import('@souk/web').OperationInfo>
}
declare module 'virtual:souk-open-operations' {
  /** Parameter names of each open API operation, by id. */
  export const openParameters: Record<string, readonly string[]>
  /** Request properties of each open API operation, by id. */
  export const openRequests: Record<string, { method: string; path: string; signed: boolean; file: boolean }>
}
declare module 'virtual:souk-errors' {
  /** Registry message of each error, by code; the detail of a problem starts with it. */
  export const statements: Record<string, string>
}

/// <reference types="vite/client" />

declare module 'virtual:souk-operations' {
  /** Method, path and kind of body of every operation of the host surface, by id. */
  export const operations: Record<string, import('@souk/web').OperationInfo>
}

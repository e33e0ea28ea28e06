/// <reference types="vite/client" />

declare module 'virtual:souk-operations' {
  /** Method, path and kind of body of every operation of the console surface, by id. */
  export const operations: Record<string, import('@souk/web').OperationInfo>
  /** The names of the parameters of every open API operation, by id. */
  export const openParameters: Record<string, readonly string[]>
  /** The plain statement of every error of the registry, by code; the detail of a problem begins with it. */
  export const statements: Record<string, string>
}

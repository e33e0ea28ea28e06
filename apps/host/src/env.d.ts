/// <reference types="vite/client" />

declare module 'virtual:souk-operations' {
  /** Method, path and kind of body of every operation of the host surface, by id. */
  export const operations: Record<string, { method: string; path: string; body?: 'json' | 'form' | 'multipart' }>
}

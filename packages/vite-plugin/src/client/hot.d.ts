/** Vite's HMR API, as far as it is used here. */
interface ImportMeta {
  readonly hot?: {
    on(event: string, act: (data: never) => void): void
    send(event: string): void
  }
}

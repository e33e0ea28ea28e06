/** What vite gives to modules in development. */
interface ImportMeta {
  readonly hot?: { on(event: string, act: (data: never) => void): void }
}

/** The object `neu`. Modules add their functions when they are loaded. */
export const functions: Record<string, unknown> = {}

/** Adds functions, except those that the app has replaced. */
export function provide(added: object): void {
  Object.assign(functions, { ...added, ...functions })
}

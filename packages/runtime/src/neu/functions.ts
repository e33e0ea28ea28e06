/** The object `neu`. Modules add their functions when they are loaded. */
export const functions: Record<string, unknown> = {}

/** Adds functions, except those that the app has replaced. */
export function provide(added: object): void {
  Object.assign(functions, { ...added, ...functions })
}

/** Answers reads of properties that neither `neu` nor any object has. */
export function lookUp(missing: (name: string | symbol) => unknown): void {
  const get = (object: object, name: string | symbol) => Reflect.get(object, name) ?? missing(name)
  Object.setPrototypeOf(functions, new Proxy({}, { get }))
}

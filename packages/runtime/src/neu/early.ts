/** Services by name that a module of functions of `neu` defines, and so answers before the others are loaded. */
export const early: Record<string, (() => Promise<object>) | undefined> = {}

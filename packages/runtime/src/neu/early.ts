/** Services that are loaded before the others, with a module that defines functions of `neu`. */
export const early: Partial<Record<'getSystemInfo' | 'getSystemInfoAsync', () => Promise<object>>> = {}

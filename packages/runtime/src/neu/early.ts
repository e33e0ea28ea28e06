/** Services that can respond before the other modules of `neu` are loaded, by name. Their module adds them. */
export const early: Record<string, (() => Promise<object>) | undefined> = {}

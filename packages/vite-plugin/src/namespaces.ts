/** Global objects with the functions of `neu`: the same ones under each name. */
export const namespaces: readonly string[] = ['neu', 'uni', 'wx']

/** Matches a namespace, as part of other patterns. */
export const namespacePattern = `(?:${namespaces.join('|')})`

/** States of a canary. In the first three it is open: of each mini app and platform at most one canary is. */
export const canaryStates = ['running', 'paused', 'halted', 'rolledBack', 'published'] as const
export type CanaryState = (typeof canaryStates)[number]
export const openCanaryStates = ['running', 'paused', 'halted'] as const satisfies CanaryState[]

/** Operating systems that a canary can be limited to. */
export const canarySystems = ['Android', 'iOS'] as const
export type CanarySystem = (typeof canarySystems)[number]

/** Maximum number of users on the list of a canary, and of its languages. */
export const maxCanaryUsers = 1_000
export const maxCanaryLanguages = 20

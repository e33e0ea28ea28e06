/** Target platforms of a release. The host draws the bars of `App` and `Mini App`; `H5` draws its own. */
export const releasePlatforms = ['H5', 'App', 'Mini App'] as const
export type ReleasePlatform = (typeof releasePlatforms)[number]

/** Stages of a release on its way to users. */
export const releaseStages = ['development', 'review', 'published'] as const
export type ReleaseStage = (typeof releaseStages)[number]

/** Maximum size of a release archive in bytes. */
export const maxArchiveSize = 20 * 1024 * 1024
/** Maximum number of files in a release, and their total size in bytes. */
export const maxReleaseFiles = 2_000
export const maxReleaseSize = 50 * 1024 * 1024
/** Maximum number of stored releases per mini app. */
export const maxReleases = 100
/** Maximum number of testers per mini app. */
export const maxTesters = 200

/** What a release is built for. A host holds `App` and `Mini App` in its own bars; `H5` draws its own. */
export const releasePlatforms = ['H5', 'App', 'Mini App'] as const
export type ReleasePlatform = (typeof releasePlatforms)[number]

/** Where a release is on its way to users. */
export const releaseStages = ['development', 'review', 'published'] as const
export type ReleaseStage = (typeof releaseStages)[number]

/** How large the archive of a release may be, bytes. */
export const maxArchiveSize = 20 * 1024 * 1024
/** How many files a release may have, and how many bytes all of them together. */
export const maxReleaseFiles = 2_000
export const maxReleaseSize = 50 * 1024 * 1024
/** How many releases one mini app may have at a time. */
export const maxReleases = 100
/** How many testers one mini app may have. */
export const maxTesters = 200

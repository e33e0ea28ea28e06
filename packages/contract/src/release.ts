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
/** Maximum size of one source map in bytes. All of a release have the limits of a release. */
export const maxSourceMapSize = 8 * 1024 * 1024
/** Maximum number of stored releases per mini app. */
export const maxReleases = 100
/** States of a signing key. Only an approved one counts where signed releases are required. */
export const signingKeyStates = ['pending', 'approved', 'revoked'] as const
export type SigningKeyState = (typeof signingKeyStates)[number]
/** Maximum number of signing keys per account that are not revoked. */
export const maxSigningKeys = 20

/**
 * Returns the text that a developer signs with Ed25519 to vouch for a release. It names the mini app and the version,
 * so that the signature cannot be used for others. `archiveHash` is the SHA-256 of the archive in lowercase
 * hexadecimal.
 */
export function releaseStatement(release: { appid: string; version: string; archiveHash: string }): string {
  return `souk-release-v1\n${release.appid}\n${release.version}\n${release.archiveHash}`
}

/** Maximum length of a release note, and maximum number of languages in which a release has one. */
export const maxReleaseNote = 500
export const maxNoteLanguages = 20

/** Maximum number of testers per mini app. */
export const maxTesters = 200

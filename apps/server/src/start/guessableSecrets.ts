import type { Config } from '../config.ts'

/** Passwords of examples, and defaults of other programs. */
const wellKnown =
  /^(admin|changeme|change-me|default|example|pass|passw0rd|password|postgres|root|secret|souk|test)\d{0,4}$/i
/** Random keys of 32 bytes have about 30 different ones. */
const minDifferentBytes = 16

/** Returns the names of settings with a secret that is well known or easily guessed, for `souk doctor`. */
export function findGuessableSecrets({
  databaseUrl,
  masterKeys,
  objectStorage,
}: Pick<Config, 'databaseUrl' | 'masterKeys'> & Partial<Pick<Config, 'objectStorage'>>): string[] {
  const guessable = {
    SOUK_MASTER_KEY: masterKeys?.some((key) => new Set(key).size < minDifferentBytes),
    SOUK_S3_SECRET_ACCESS_KEY: objectStorage && wellKnown.test(objectStorage.secretAccessKey),
    DATABASE_URL: hasGuessablePassword(databaseUrl),
  }
  return Object.entries(guessable).flatMap(([name, found]) => (found ? [name] : []))
}

/** Parses by hand, because a URL of several database hosts is none for `URL`. */
function hasGuessablePassword(url: string | undefined): boolean {
  const [, user = '', password] = /^\w+:\/\/([^:@/]*):([^@/]*)@/.exec(url ?? '') ?? []
  return password !== undefined && (wellKnown.test(password) || password.length < 8 || password === user)
}

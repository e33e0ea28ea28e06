import { createHash } from 'node:crypto'

/** A migration of a database: its file, and the SHA-256 of the text in hexadecimal. */
export interface AppliedMigration {
  name: string
  checksum: string
}

/** The migrations that the baseline replaces, and the last version that has them. */
const replaced = {
  count: 77,
  last: '0170_contested_signs.sql',
  /** SHA-256 of a line `name checksum` for each. */
  digest: '144136aea8fa025618e2e388bac83760ed5d499e727965913f0b03079c04b4e2',
  version: '0.1.0+1a936dc',
}

/** A database, or a backup, without all migrations that the baseline replaces. The message has no period. */
export class OldSchemaError extends Error {
  override name = 'OldSchemaError'
  /** The difference, without its subject and without a period. */
  readonly reason: string
  /** The version that upgrades it. */
  readonly version = replaced.version

  constructor(migrations: readonly AppliedMigration[]) {
    const reason =
      `it has ${migrations.length} migrations up to ${migrations.at(-1)?.name}, and this version continues from the ` +
      `${replaced.count} up to ${replaced.last}`
    super(`The database is too old: ${reason}. Start Souk ${replaced.version} with it first`)
    this.reason = reason
  }
}

/**
 * Returns the migrations of a database, in order, with the baseline in place of those that it replaces (ADR 361).
 * @param own the migrations of this version
 * @throws OldSchemaError
 */
export function withBaseline(applied: AppliedMigration[], own: readonly AppliedMigration[]): AppliedMigration[] {
  const [baseline] = own
  const [first] = applied
  if (!baseline || !first || first.name >= baseline.name) return applied
  const lines = applied.map(({ name, checksum }) => `${name} ${checksum}\n`).join('')
  if (createHash('sha256').update(lines).digest('hex') !== replaced.digest) throw new OldSchemaError(applied)
  return [{ name: baseline.name, checksum: baseline.checksum }]
}

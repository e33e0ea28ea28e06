import type { consoleOperations, ResultOf } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'

type PlatformSettings = ResultOf<typeof consoleOperations.getPlatformSettings>

export async function findPlatformSettings(sql: Sql | Tx): Promise<PlatformSettings> {
  const [row] = await sql<[PlatformSettings]>`
    select allowed_origins, demand_second_factor as require_second_factor, require_reviews, max_daily_messages
    from platform_settings`
  return row
}

export async function updateAllowedOrigins(tx: Tx, origins: readonly string[]): Promise<void> {
  await tx`update platform_settings set allowed_origins = ${origins as string[]}`
}

export async function updateRequireSecondFactor(tx: Tx, required: boolean): Promise<void> {
  await tx`update platform_settings set demand_second_factor = ${required}`
}

export async function updateRequireReviews(tx: Tx, required: boolean): Promise<void> {
  await tx`update platform_settings set require_reviews = ${required}`
}

export async function updateMaxDailyMessages(tx: Tx, most: number | null): Promise<void> {
  await tx`update platform_settings set max_daily_messages = ${most}`
}

/**
 * Locks the settings, so that the last way to sign in cannot be removed concurrently, and returns whether accounts can
 * sign in with a password.
 */
export async function lockPasswordSignIn(tx: Tx): Promise<boolean> {
  const [row] = await tx<[{ allowed: boolean }]>`
    select password_sign_in as allowed from platform_settings for no key update`
  return row.allowed
}

export async function updatePasswordSignIn(tx: Tx, allowed: boolean): Promise<void> {
  await tx`update platform_settings set password_sign_in = ${allowed}`
}

import { rm } from 'node:fs/promises'
import { type Command, openInstallation, withPool } from './command.ts'
import { findLosses, type Losses, type Recovery, recoverKeys } from './domain/installation/index.ts'
import { OffsetClock } from './kernel/clock.ts'
import { readKeyRing } from './kernel/keyRing.ts'
import { masterKeyId, Vault } from './kernel/vault.ts'
import { keyRingFile, loadKeyRing } from './keys.ts'

/** Replaces lost master keys, or reports what that would mean. */
export async function recover({ config, log, print }: Command, { confirmed }: { confirmed: boolean }): Promise<void> {
  const database = await openInstallation({ config, log })
  const file = keyRingFile(config.dataDir)
  try {
    await withPool(database.url, async (sql) => {
      const present = config.masterKeys ?? readKeyRing(file)
      const losses = await findLosses(sql, present.map(masterKeyId))
      if (!confirmed) {
        print(losses, [...describeLosses(losses), 'Nothing was changed. To replace the keys: souk keys recover --yes'])
        return
      }
      const ring = config.masterKeys ?? (await loadKeyRing(config.dataDir, { mayCreate: true }))
      const vault = new Vault(() => ring)
      vault.use(masterKeyId(ring.at(-1)!))
      try {
        const recovery = await recoverKeys({ sql, clock: new OffsetClock(), vault })
        print(recovery, [...describeLosses(recovery), ...describeSecrets(recovery)])
      } catch (error) {
        if (present.length === 0) await rm(file, { force: true })
        throw error
      }
    })
  } finally {
    await database.stop()
  }
}

function describeLosses(losses: Losses): string[] {
  const { keyIds, apps, eventEndpoints, providerAccounts, signOnProviders, issuerClients, oneTimeCodes, mails } = losses
  const list = (title: string, entries: readonly string[]) =>
    entries.length === 0 ? [] : [`${title}:`, ...entries.map((entry) => `  ${entry}`)]
  return [
    `Lost master keys: ${keyIds.join(', ')}. Access tokens and trusted devices that they signed end.`,
    ...list(
      'Mini apps that get a new secret',
      apps.map(({ appid, name }) => `${appid} ${name}`),
    ),
    ...list(
      'Event endpoints that get a new secret',
      eventEndpoints.map(({ endpointId, url }) => `${endpointId} ${url}`),
    ),
    ...list(
      'Provider accounts that are disabled: enter their secrets again and enable them',
      providerAccounts.map(({ providerAccountId, name, provider }) => `${providerAccountId} ${provider} ${name}`),
    ),
    ...list(
      'Sign-on providers that are removed: add them again',
      signOnProviders.map(({ name, issuer, clientId }) => `${name} ${issuer}, client ${clientId}`),
    ),
    ...list(
      'Issuers that lose the sign-in to the host: set it up again',
      issuerClients.map(({ issuer, clientId }) => `${issuer}, client ${clientId}`),
    ),
    ...list('Accounts that lose their one-time codes: enrol again', oneTimeCodes),
    ...(mails > 0 ? [`Waiting mails that are canceled: ${mails}`] : []),
  ]
}

function describeSecrets({ keyId, secrets }: Recovery): string[] {
  return [
    `The current master key is ${keyId}. Back up its file, and copy it to the other servers. The new secrets, only here:`,
    ...secrets.map(({ appid, endpointId, secret }) => `  ${appid ?? endpointId} ${secret}`),
  ]
}

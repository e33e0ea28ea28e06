import { second } from '@souk/contract'
import type { Config } from '../config.ts'
import { createDelivery } from '../delivery/index.ts'
import type { FullContext } from '../domain/context.ts'
import { AppDirectory, MiniAppCatalogue } from '../domain/miniApps/index.ts'
import { ledger } from '../domain/money/index.ts'
import { checkStorage, openVault } from '../installation.ts'
import { defaultLimits } from '../kernel/db/limits.ts'
import { connect } from '../kernel/db/pool.ts'
import { createMailer } from '../kernel/mail.ts'
import { createObjectStorage } from '../kernel/objectStorage.ts'
import { adminTokenIn, keyRingFile } from '../keys.ts'
import { workerConnections } from '../worker/index.ts'
import { findGuessableSecrets } from './guessableSecrets.ts'

/** Connections that each process opens besides its pool: for the lock of the data directory, and for LISTEN. */
const ownConnections = 2

/** Connects to the database and creates what the verbs of all domains need. */
export async function createContext(
  config: Config,
  databaseUrl: string,
  parts: Pick<FullContext, 'clock' | 'egress' | 'log' | 'metrics' | 'stopping'>,
): Promise<FullContext> {
  const { role, pooledDatabaseUrl, databaseConnections } = config
  const directConnections = ownConnections + (role === 'api' ? 0 : workerConnections)
  const sql = connect(pooledDatabaseUrl ?? databaseUrl, {
    max: databaseConnections - directConnections,
    limits: { ...defaultLimits, statement: config.statementTimeout * second },
    directUrl: pooledDatabaseUrl && databaseUrl,
    log: parts.log,
  })
  const vault = await openVault(sql, config)
  await checkStorage(sql, config)
  return {
    ...parts,
    sql,
    vault,
    ...settingsOf(config),
    process: {
      dataDir: config.dataDir,
      archiveFolder: config.tradeRetention > 0 ? config.archiveFolder : undefined,
      databaseConnections: pooledDatabaseUrl ? directConnections : databaseConnections,
      hasPooler: pooledDatabaseUrl !== undefined,
      guessableSecrets: findGuessableSecrets(config),
    },
    apps: new AppDirectory({ sql, vault, clock: parts.clock }),
    catalogue: new MiniAppCatalogue({ sql, clock: parts.clock }),
    adminToken: adminTokenIn(config.dataDir),
    proxies: {},
    ledger,
    mailer: config.mail && (await createMailer(config.mail)),
    objects: config.objectStorage && createObjectStorage(config.objectStorage, config),
    sendMessage: createDelivery(parts.egress),
  }
}

/** Selects the settings that the domain reads. */
function settingsOf(config: Config) {
  const { publicUrl, miniAppsUrl, hostUrl, mapTiles, approvals, projectCreation, requireSignedReleases } = config
  return {
    settings: { sandbox: config.environment === 'sandbox', publicUrl },
    web: { miniAppsUrl, hostUrl, mapTiles },
    rules: { approvals, projectCreation, requireSignedReleases },
    retention: { requestLog: config.requestLogRetention, analytics: config.analyticsRetention },
    accessTokenLifetime: config.accessTokenLifetime,
    storage: config.storage,
    keyRingFile: config.masterKeys ? undefined : keyRingFile(config.dataDir),
  }
}

import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { AdminTokenPlace } from '../domain/installation/index.ts'
import { runsFromSources } from '../kernel/package.ts'

/** Tells the person at the terminal where everything is. */
export function printReady(
  config: Config,
  {
    address,
    demo,
    setupLink,
    userName,
    adminToken,
    unknownSettings,
  }: {
    address: string
    demo: { appid: string; file: string } | undefined
    setupLink: string | undefined
    /** Of an administrator, for the sign-in to the console. */
    userName: string | undefined
    adminToken: AdminTokenPlace
    unknownSettings: readonly string[]
  },
): void {
  const base = config.publicUrl
  const places: Record<AdminTokenPlace, string> = {
    here: join(config.dataDir, 'admin-token'),
    elsewhere: 'in the data directory of another process',
    disabled: 'disabled',
  }
  const sandbox = config.environment === 'sandbox' ? '  (a sandbox: mock users, simulated payments, no real money)' : ''
  const firstSignIn = setupLink ? [`  First sign-in ${setupLink}`] : []
  // The addresses of the public URL are those of other processes then.
  const served =
    config.role === 'worker'
      ? [
          `  Souk runs the jobs of ${base}${sandbox}`,
          '',
          ...firstSignIn,
          `  Health        ${address}/readyz, ${address}/metrics`,
        ]
      : [
          `  Souk is ready at ${base}${sandbox}`,
          '',
          `  Host          ${base}/host/`,
          `  Console       ${base}/console/${userName === undefined ? '' : `  (your user name: ${userName})`}`,
          ...firstSignIn,
          `  Documentation ${base}/docs/`,
          `  Open API      ${base}/neuopenapi`,
          `  Platform API  ${base}/api/v1`,
          `  OpenAPI 3.1   ${base}/openapi.json`,
          `  Health        ${base}/readyz, ${base}/metrics`,
        ]
  const lines = [
    '',
    ...served,
    `  Data          ${config.dataDir}${config.databaseUrl ? ' (database: DATABASE_URL)' : ''}`,
    `  Admin token   ${places[adminToken]}`,
    ...(demo ? [`  Demo app      ${demo.appid}, secret and users in ${demo.file}`] : []),
    '',
    `  Try           ${runsFromSources ? 'npm run --silent souk --' : 'npx souk'} --help`,
    '',
    ...unknownSettings.flatMap((sentence) => [`  Warning       ${sentence}`, '']),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

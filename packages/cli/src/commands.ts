import type { Command } from 'commander'
import type { AddCommand, Run } from './session.ts'

/** Adds a command to the program, without its description. */
type Add = (program: Command, add: AddCommand, run: Run) => void

interface TopLevelCommand {
  description: string
  /** Imports the file of the command. */
  load: () => Promise<Add>
}

/** All commands in the order of `souk --help`. Only the file of the called one is imported, for a quick start. */
export const topLevelCommands: Record<string, TopLevelCommand> = {
  app: {
    description: 'manage mini apps',
    load: async () => (await import('./commands/app.ts')).addAppCommands,
  },
  project: {
    description: 'list, show and create projects',
    load: async () => (await import('./commands/project.ts')).addProjectCommands,
  },
  approvals: {
    description: 'approve or reject changes of mini apps',
    load: async () => (await import('./commands/approvals.ts')).addApprovalCommands,
  },
  accounts: {
    description: 'manage console accounts',
    load: async () => (await import('./commands/accounts.ts')).addAccountCommands,
  },
  doctor: {
    description: 'check the installation and say what to do; exit status 1 if a check finds an error',
    load: async () => (await import('./commands/doctor.ts')).addDoctorCommand,
  },
  versions: {
    description: 'list the versions of Souk that ran on the database, and when',
    load: async () => (await import('./commands/versions.ts')).addVersionsCommand,
  },
  backup: {
    description: 'write an encrypted backup of the installation on this machine; servers can keep running',
    load: async () => (await import('./commands/backup.ts')).addBackupCommands,
  },
  restore: {
    description:
      'restore a backup into an empty installation on this machine, and compare rows, ledger and audit chain',
    load: async () => (await import('./commands/backup.ts')).addBackupCommands,
  },
  move: {
    description: 'move the installation on this machine to another database, and compare rows, ledger and audit chain',
    load: async () => (await import('./commands/move.ts')).addMoveCommand,
  },
  database: {
    description: 'the embedded PostgreSQL of the installation on this machine',
    load: async () => (await import('./commands/database.ts')).addDatabaseCommands,
  },
  partitions: {
    description: 'partitions of large tables, and archives of old months',
    load: async () => (await import('./commands/partitions.ts')).addPartitionCommands,
  },
  storage: {
    description: 'files and releases in an S3-compatible object storage',
    load: async () => (await import('./commands/storage.ts')).addStorageCommands,
  },
  mail: {
    description: 'mail delivery: its state, and a test mail',
    load: async () => (await import('./commands/mail.ts')).addMailCommands,
  },
  issuers: {
    description: 'issuers whose tokens sign users in to the host',
    load: async () => (await import('./commands/issuers.ts')).addIssuerCommands,
  },
  scopes: {
    description: 'scopes of user data that this installation defines',
    load: async () => (await import('./commands/scopes.ts')).addScopeCommands,
  },
  keys: {
    description: 'master keys, which encrypt secrets and sign access tokens',
    load: async () => (await import('./commands/keys.ts')).addKeyCommands,
  },
  'admin-token': {
    description: 'the admin token, which souk commands authenticate with',
    load: async () => (await import('./commands/adminToken.ts')).addAdminTokenCommands,
  },
  'sign-on': {
    description: 'OpenID providers whose accounts sign in to the console',
    load: async () => (await import('./commands/signOn.ts')).addSignOnCommands,
  },
  users: {
    description: 'manage the users of the host',
    load: async () => (await import('./commands/users.ts')).addUserCommands,
  },
  events: {
    description: "events to the company's backend: endpoints and deliveries",
    load: async () => (await import('./commands/events.ts')).addEventCommands,
  },
  sandbox: {
    description: 'mock users, payments, fake providers and the clock of a sandbox',
    load: async () => (await import('./commands/sandbox.ts')).addSandboxCommands,
  },
  callbacks: {
    description: 'payment result callbacks and their delivery attempts',
    load: async () => (await import('./commands/callbacks.ts')).addCallbackCommands,
  },
  listen: {
    description: 'forward callbacks to a backend on this machine, until Ctrl-C',
    load: async () => (await import('./commands/listen.ts')).addListenCommand,
  },
  trade: {
    description: 'show a trade with its history',
    load: async () => (await import('./commands/trade.ts')).addTradeCommand,
  },
  trades: {
    description: 'refunds of trades',
    load: async () => (await import('./commands/money.ts')).addMoneyCommands,
  },
  reconciliations: {
    description: 'daily reconciliation with the providers',
    load: async () => (await import('./commands/money.ts')).addMoneyCommands,
  },
  ledger: {
    description: 'show the balances of the merchants of a project',
    load: async () => (await import('./commands/money.ts')).addMoneyCommands,
  },
  providers: {
    description: 'provider accounts',
    load: async () => (await import('./commands/providers.ts')).addProviderCommands,
  },
  requests: {
    description: 'list open API requests, newest first, with diagnoses of sign mismatches',
    load: async () => (await import('./commands/requests.ts')).addRequestsCommand,
  },
  audit: {
    description: 'export and verify the audit log',
    load: async () => (await import('./commands/audit.ts')).addAuditCommands,
  },
  datasets: {
    description: 'data of your projects, with your API key (SOUK_API_KEY)',
    load: async () => (await import('./commands/datasets.ts')).addDatasetCommands,
  },
  sign: {
    description: 'sign a request, or find out why a sign does not match; needs no server',
    load: async () => (await import('./commands/sign.ts')).addSignCommand,
  },
  pages: {
    description: 'check, fix, resolve and explain a pages.json; needs no server',
    load: async () => (await import('./commands/pages.ts')).addPagesCommands,
  },
  dev: {
    description: 'serve the mini app in a folder (default: current) with hot updates',
    load: async () => (await import('./commands/dev.ts')).addDevCommand,
  },
  build: {
    description: 'build a release of the mini app in a folder (default: current) for one platform',
    load: async () => (await import('./commands/build.ts')).addBuildCommand,
  },
  migrate: {
    description:
      'report if a uni-app project runs, and what works, is missing or must be changed; exit status 1 if it does not run',
    load: async () => (await import('./commands/migrate.ts')).addMigrateCommand,
  },
  upload: {
    description: 'build the mini app in a folder (default: current), sign it and upload it as a release',
    load: async () => (await import('./commands/upload.ts')).addUploadCommand,
  },
  'source-maps': {
    description: 'upload the source maps of a release, from a build of the same sources',
    load: async () => (await import('./commands/upload.ts')).addSourceMapsCommand,
  },
  review: {
    description: 'review releases before they are published',
    load: async () => (await import('./commands/reviews.ts')).addReviewCommands,
  },
  submit: {
    description: 'submit a release for review, by default the newest one',
    load: async () => (await import('./commands/reviews.ts')).addReviewCommands,
  },
  publish: {
    description: 'publish a release, by default the newest one, now or at a given time',
    load: async () => (await import('./commands/reviews.ts')).addReviewCommands,
  },
  'roll-back': {
    description: 'roll back to a release that was published before',
    load: async () => (await import('./commands/reviews.ts')).addReviewCommands,
  },
  ci: {
    description: 'check, build, measure, upload and submit the mini app in a folder (default: current), for pipelines',
    load: async () => (await import('./commands/ci.ts')).addCiCommand,
  },
  canary: {
    description: 'roll out releases to some of the users first',
    load: async () => (await import('./commands/canaries.ts')).addCanaryCommands,
  },
  alerts: {
    description: 'alert rules of a mini app, and their alerts',
    load: async () => (await import('./commands/alerts.ts')).addAlertCommands,
  },
  link: {
    description: 'print a link and a QR code that open a mini app in the host, by default its published release',
    load: async () => (await import('./commands/link.ts')).addLinkCommand,
  },
  'signing-keys': {
    description: 'manage the keys that sign releases',
    load: async () => (await import('./commands/signingKeys.ts')).addSigningKeyCommands,
  },
  'service-accounts': {
    description: 'service accounts: tokens for CI and other programs',
    load: async () => (await import('./commands/serviceAccounts.ts')).addServiceAccountCommands,
  },
}

import type { Command } from 'commander'
import type { AddCommand, Run } from './session.ts'

/** Adds a command to the program, without its description. */
type Add = (program: Command, add: AddCommand, run: Run) => void

interface TopLevelCommand {
  /** Heading above it in `souk --help`. */
  group: 'Mini apps' | 'Backends and the sandbox' | 'Money' | 'People' | 'Installation'
  description: string
  /** Imports the file of the command. */
  load: () => Promise<Add>
}

/** All commands in the order of `souk --help`. Only the file of the called one is imported, for a quick start. */
export const topLevelCommands: Record<string, TopLevelCommand> = {
  app: {
    group: 'Mini apps',
    description: 'manage mini apps',
    load: async () => (await import('./commands/app.ts')).addAppCommands,
  },
  project: {
    group: 'Mini apps',
    description: 'list, show and create projects',
    load: async () => (await import('./commands/project.ts')).addProjectCommands,
  },
  pages: {
    group: 'Mini apps',
    description: 'check, fix, resolve and explain a pages.json; needs no server',
    load: async () => (await import('./commands/pages.ts')).addPagesCommands,
  },
  dev: {
    group: 'Mini apps',
    description: 'serve the mini app in a folder (default: current) with hot updates',
    load: async () => (await import('./commands/dev.ts')).addDevCommand,
  },
  build: {
    group: 'Mini apps',
    description: 'build a release of the mini app in a folder (default: current) for one platform',
    load: async () => (await import('./commands/build.ts')).addBuildCommand,
  },
  migrate: {
    group: 'Mini apps',
    description:
      'report if a uni-app project runs, and what works, is missing or must be changed; exit status 1 if it does not run',
    load: async () => (await import('./commands/migrate.ts')).addMigrateCommand,
  },
  upload: {
    group: 'Mini apps',
    description: 'build the mini app in a folder (default: current), sign it and upload it as a release',
    load: async () => (await import('./commands/upload.ts')).addUploadCommand,
  },
  'source-maps': {
    group: 'Mini apps',
    description: 'upload the source maps of a release, from a build of the same sources',
    load: async () => (await import('./commands/upload.ts')).addSourceMapsCommand,
  },
  submit: {
    group: 'Mini apps',
    description: 'submit a release for review, by default the newest one',
    load: async () => (await import('./commands/reviews.ts')).addReviewCommands,
  },
  review: {
    group: 'Mini apps',
    description: 'review releases before they are published',
    load: async () => (await import('./commands/reviews.ts')).addReviewCommands,
  },
  publish: {
    group: 'Mini apps',
    description: 'publish a release, by default the newest one, now or at a given time',
    load: async () => (await import('./commands/reviews.ts')).addReviewCommands,
  },
  'roll-back': {
    group: 'Mini apps',
    description: 'roll back to a release that was published before',
    load: async () => (await import('./commands/reviews.ts')).addReviewCommands,
  },
  canary: {
    group: 'Mini apps',
    description: 'roll out releases to some of the users first',
    load: async () => (await import('./commands/canaries.ts')).addCanaryCommands,
  },
  ci: {
    group: 'Mini apps',
    description: 'check, build, measure, upload and submit the mini app in a folder (default: current), for pipelines',
    load: async () => (await import('./commands/ci.ts')).addCiCommand,
  },
  'custom-events': {
    group: 'Mini apps',
    description: 'events that a mini app declares and reports',
    load: async () => (await import('./commands/customEvents.ts')).addCustomEventCommands,
  },
  alerts: {
    group: 'Mini apps',
    description: 'alert rules of a mini app, and their alerts',
    load: async () => (await import('./commands/alerts.ts')).addAlertCommands,
  },
  link: {
    group: 'Mini apps',
    description: 'print a link and a QR code that open a mini app in the host, by default its published release',
    load: async () => (await import('./commands/link.ts')).addLinkCommand,
  },
  inspect: {
    group: 'Mini apps',
    description: 'inspect a mini app on a phone, whose user is asked, and record it to a file',
    load: async () => (await import('./commands/inspect.ts')).addInspectCommand,
  },
  recordings: {
    group: 'Mini apps',
    description: 'list and download the recordings of testers whose session ended with a JavaScript error',
    load: async () => (await import('./commands/recordings.ts')).addRecordingCommands,
  },
  test: {
    group: 'Mini apps',
    description: 'repeat recordings in Chromium, and compare pages, calls, requests and errors',
    load: async () => (await import('./commands/test.ts')).addTestCommand,
  },
  'signing-keys': {
    group: 'Mini apps',
    description: 'manage the keys that sign releases',
    load: async () => (await import('./commands/signingKeys.ts')).addSigningKeyCommands,
  },
  fake: {
    group: 'Backends and the sandbox',
    description: 'run a Souk in memory for tests of a backend, until Ctrl-C; needs no server and no database',
    load: async () => (await import('./commands/fake.ts')).addFakeCommand,
  },
  sign: {
    group: 'Backends and the sandbox',
    description: 'sign a request, or find out why a sign does not match; needs no server',
    load: async () => (await import('./commands/sign.ts')).addSignCommand,
  },
  requests: {
    group: 'Backends and the sandbox',
    description: 'list open API requests, newest first, with diagnoses of sign mismatches',
    load: async () => (await import('./commands/requests.ts')).addRequestsCommand,
  },
  sandbox: {
    group: 'Backends and the sandbox',
    description: 'mock users, payments, fake providers and the clock of a sandbox',
    load: async () => (await import('./commands/sandbox.ts')).addSandboxCommands,
  },
  callbacks: {
    group: 'Backends and the sandbox',
    description: 'payment result callbacks and their delivery attempts',
    load: async () => (await import('./commands/callbacks.ts')).addCallbackCommands,
  },
  listen: {
    group: 'Backends and the sandbox',
    description: 'forward callbacks to a backend on this machine, until Ctrl-C',
    load: async () => (await import('./commands/listen.ts')).addListenCommand,
  },
  trade: {
    group: 'Backends and the sandbox',
    description: 'show a trade with its history',
    load: async () => (await import('./commands/trade.ts')).addTradeCommand,
  },
  trades: {
    group: 'Backends and the sandbox',
    description: 'refunds of trades',
    load: async () => (await import('./commands/money.ts')).addMoneyCommands,
  },
  datasets: {
    group: 'Backends and the sandbox',
    description: 'data of your projects, with your API key (SOUK_API_KEY)',
    load: async () => (await import('./commands/datasets.ts')).addDatasetCommands,
  },
  providers: {
    group: 'Money',
    description: 'provider accounts',
    load: async () => (await import('./commands/providers.ts')).addProviderCommands,
  },
  reconciliations: {
    group: 'Money',
    description: 'daily reconciliation with the providers',
    load: async () => (await import('./commands/money.ts')).addMoneyCommands,
  },
  ledger: {
    group: 'Money',
    description: 'show the balances of the merchants of a project',
    load: async () => (await import('./commands/money.ts')).addMoneyCommands,
  },
  accounts: {
    group: 'People',
    description: 'manage console accounts',
    load: async () => (await import('./commands/accounts.ts')).addAccountCommands,
  },
  'service-accounts': {
    group: 'People',
    description: 'service accounts: tokens for CI and other programs',
    load: async () => (await import('./commands/serviceAccounts.ts')).addServiceAccountCommands,
  },
  users: {
    group: 'People',
    description: 'manage the users of the host',
    load: async () => (await import('./commands/users.ts')).addUserCommands,
  },
  approvals: {
    group: 'People',
    description: 'approve or reject changes of mini apps',
    load: async () => (await import('./commands/approvals.ts')).addApprovalCommands,
  },
  doctor: {
    group: 'Installation',
    description: 'check the installation and say what to do; exit status 1 if a check finds an error',
    load: async () => (await import('./commands/doctor.ts')).addDoctorCommand,
  },
  versions: {
    group: 'Installation',
    description: 'list the versions of Souk that ran on the database, and when',
    load: async () => (await import('./commands/versions.ts')).addVersionsCommand,
  },
  backup: {
    group: 'Installation',
    description: 'write an encrypted backup of the installation on this machine; servers can keep running',
    load: async () => (await import('./commands/backup.ts')).addBackupCommands,
  },
  restore: {
    group: 'Installation',
    description:
      'restore a backup into an empty installation on this machine, and compare rows, ledger and audit chain',
    load: async () => (await import('./commands/backup.ts')).addBackupCommands,
  },
  move: {
    group: 'Installation',
    description: 'move the installation on this machine to another database, and compare rows, ledger and audit chain',
    load: async () => (await import('./commands/move.ts')).addMoveCommand,
  },
  database: {
    group: 'Installation',
    description: 'the embedded PostgreSQL of the installation on this machine',
    load: async () => (await import('./commands/database.ts')).addDatabaseCommands,
  },
  partitions: {
    group: 'Installation',
    description: 'partitions of large tables, and archives of old months',
    load: async () => (await import('./commands/partitions.ts')).addPartitionCommands,
  },
  storage: {
    group: 'Installation',
    description: 'files and releases in an S3-compatible object storage',
    load: async () => (await import('./commands/storage.ts')).addStorageCommands,
  },
  mail: {
    group: 'Installation',
    description: 'mail delivery: its state, and a test mail',
    load: async () => (await import('./commands/mail.ts')).addMailCommands,
  },
  keys: {
    group: 'Installation',
    description: 'master keys, which encrypt secrets and sign access tokens',
    load: async () => (await import('./commands/keys.ts')).addKeyCommands,
  },
  'admin-token': {
    group: 'Installation',
    description: 'the admin token, which souk commands authenticate with',
    load: async () => (await import('./commands/adminToken.ts')).addAdminTokenCommands,
  },
  issuers: {
    group: 'Installation',
    description: 'issuers whose tokens sign users in to the host',
    load: async () => (await import('./commands/issuers.ts')).addIssuerCommands,
  },
  scopes: {
    group: 'Installation',
    description: 'scopes of user data that this installation defines',
    load: async () => (await import('./commands/scopes.ts')).addScopeCommands,
  },
  functions: {
    group: 'Installation',
    description: 'functions of the application around mini apps, which this installation declares',
    load: async () => (await import('./commands/functions.ts')).addFunctionCommands,
  },
  'sign-on': {
    group: 'Installation',
    description: 'OpenID providers whose accounts sign in to the console',
    load: async () => (await import('./commands/signOn.ts')).addSignOnCommands,
  },
  events: {
    group: 'Installation',
    description: "events to the company's backend: endpoints and deliveries",
    load: async () => (await import('./commands/events.ts')).addEventCommands,
  },
  audit: {
    group: 'Installation',
    description: 'export and verify the audit log',
    load: async () => (await import('./commands/audit.ts')).addAuditCommands,
  },
}

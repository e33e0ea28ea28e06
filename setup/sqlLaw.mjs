// The walls between the wings of the domain, for SQL: a statement writes only tables of its own wing, and reads those
// of other wings only if that is listed here. setup/sqlOwners.mjs has the owner of each table. Statements of a wing are
// in its stores, whose verbs setup/storeVerbs.mjs checks.
import { globSync, readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'vite'
import { wings } from './importLaw.mjs'
import { statement } from './sqlNames.mjs'
import { ownerOf } from './sqlOwners.mjs'

const server = 'apps/server/src'

/** Stands for tables whose names the code computes, here and in statements. */
const computed = '*'

/**
 * The exceptions. An entry without a statement is a violation too. A place is a file or folder below `apps/server/src`.
 */
const law = {
  /** Statements of the domain that write tables of other wings. */
  writes: [
    {
      place: 'domain/installation/keyRing/',
      tables: 'account_totp issuer_clients mails provider_accounts sign_on_providers *',
      reason: 'rotates and recovers the keys of sealed values, wherever they are',
    },
    {
      place: 'domain/installation/backups/tables.ts',
      tables: 'migrations *',
      reason: 'restores all tables',
    },
    {
      place: 'domain/installation/archives/archiveMonths.ts',
      tables: 'refunds *',
      reason: 'removes partitions, and restores them from files while no refund changes',
    },
    {
      place: 'domain/installation/archives/store.ts',
      tables: 'trade_changes',
      reason: 'archived trades leave the sums of trades',
    },
    {
      place: 'domain/installation/storage/store.ts',
      tables: 'files release_content_parts release_contents',
      reason: 'moves contents between database and object storage',
    },
    {
      place: 'domain/operations/administration/deletions.store.ts',
      tables: `
        activities app_secrets apps canary_users consents datasets files inbox invitations login_codes merchants
        message_counts message_levels open_ids project_members projects service_accounts stored_objects union_ids *`,
      reason: 'deletes mini apps and projects',
    },
    {
      place: 'domain/console/hostUsers/store.ts',
      tables:
        'activities app_testers canaries canary_users error_recordings feedback inbox inspections message_counts message_levels notifications sandbox_cards',
      reason: 'erases users, whose traces are in wings further up',
    },
    {
      place: 'domain/miniApps/datasets/statements.ts',
      tables: '*',
      reason: 'deletes records of custom datasets only',
    },
  ],
  /** Tables of wings further down, or of the worker, that statements of a wing read. */
  reads: {
    operations: `
      accounts all_trades analytics_counts apps audit_log callback_receivers callbacks canaries canary_users
      change_requests feedback files installation last_backup last_restore_check mails master_keys merchants open_ids out_trade_nos
      payment_attempts projects provider_accounts reconciliation_differences refunds release_reviews releases
      request_log union_ids unreadable_values users worker_heartbeats *`,
    money: 'apps blocks merchants open_ids users',
    miniApps: `
      accounts blocks change_requests host_sessions key_ring_processes open_ids platform_settings project_members
      projects service_accounts stored_objects users`,
    console: 'consents events open_ids platform_settings union_ids user_attributes users',
    installation: 'migrations versions worker_heartbeats',
  },
  /** Statements that read tables of wings further up. */
  readsUpwards: [
    {
      place: 'domain/miniApps/datasets/builtIn.ts',
      tables: 'all_trades callbacks refunds',
      reason: 'built-in datasets are the rows of other subjects',
    },
    {
      place: 'domain/miniApps/analytics/trades.store.ts',
      tables: 'all_trades payment_attempts',
      reason: 'counts payments',
    },
    {
      place: 'domain/miniApps/alerts/measure.store.ts',
      tables: 'all_trades callbacks payment_attempts',
      reason: 'rules watch payments and callbacks',
    },
    {
      place: 'domain/console/hostUsers/store.ts',
      tables:
        'activities all_trades app_testers error_recordings feedback inbox message_counts message_levels notifications refunds sandbox_cards',
      reason: 'exports all data of a user',
    },
    { place: 'domain/console/projects/store.ts', tables: 'apps', reason: 'counts the mini apps of listed projects' },
    {
      place: 'domain/console/blocks/store.ts',
      tables: 'apps release_files',
      reason: 'shows what is blocked, and records the digest of a blocked release',
    },
    { place: 'domain/console/approvals/store.ts', tables: 'apps', reason: 'lists requests with their mini app' },
    {
      place: 'domain/users/oauth/store.ts',
      tables: 'apps',
      reason: 'checks an access token with its mini app in one query; lists consents with names',
    },
    {
      place: 'domain/messages/mail/store.ts',
      tables: 'accounts project_members',
      reason: 'recipients are accounts',
    },
    {
      place: 'domain/messages/events/store.ts',
      tables: 'apps users',
      reason: 'stores an event with identities and names, and locks the users, in one statement',
    },
    {
      place: 'domain/installation/storage/store.ts',
      tables: 'files release_content_parts release_contents',
      reason: 'moves contents, and deletes objects without one',
    },
    {
      place: 'domain/installation/backups/tables.ts',
      tables: 'files ledger_entries release_contents',
      reason: 'checks a restored database',
    },
    {
      place: 'domain/installation/keyRing/recovery.store.ts',
      tables: `
        account_totp accounts app_secrets apps event_endpoints event_secrets issuer_clients issuers mails
        provider_accounts sign_on_providers`,
      reason: 'names what sealed values belong to',
    },
    {
      place: 'domain/installation/audit/store.ts',
      tables: 'accounts service_accounts',
      reason: 'lists entries with the names of their actors',
    },
    {
      place: 'domain/installation/adminToken/store.ts',
      tables: 'accounts',
      reason: 'keeps an administrator while the token is disabled',
    },
    {
      place: 'domain/installation/archives/store.ts',
      tables: 'all_trades callbacks payment_attempts refunds',
      reason: 'archives months without pending trades and callbacks',
    },
  ],
  /** Statements outside of the domain, except those of kernel and worker on their own tables. */
  outside: [{ place: 'kernel/db/partitions.ts', tables: '*', reason: 'creates, attaches and drops partitions' }],
  /** Files of the domain with SQL that are not stores. */
  withoutStore: [
    { place: 'domain/miniApps/datasets/builtIn.ts', reason: 'declares the sources of datasets' },
    { place: 'domain/miniApps/datasets/ownSource.ts', reason: 'declares the sources of datasets' },
    { place: 'domain/miniApps/datasets/statements.ts', reason: 'builds statements from sources and filters' },
    { place: 'domain/installation/moves/moveInstallation.ts', reason: 'locks and marks both databases in sessions' },
    { place: 'domain/installation/moves/writes.ts', reason: 'creates and drops triggers on all tables' },
    { place: 'domain/installation/backups/findOwner.ts', reason: 'reads databases of any version' },
    { place: 'domain/installation/backups/makeBackup.ts', reason: 'reads in the session of the snapshot' },
    { place: 'domain/installation/backups/restoreBackup.ts', reason: 'writes in the session of the restore' },
    { place: 'domain/installation/backups/tables.ts', reason: 'copies all tables' },
    { place: 'domain/installation/archives/archiveMonths.ts', reason: 'detaches, copies and drops partitions' },
  ],
}

/** A file with the queries of a subject. */
const store = /[/.]store\.ts$/

const name = String.raw`(?:public\.)?"?([a-z_]+|\*)"?(?![\w.])`
/** Where a statement names tables that it writes or reads: one table, or a list with aliases. */
const mentions = [
  ['writes', String.raw`\b(?:insert into|merge into|delete from|copy(?= \S+ (?:\? )?from\b)) ${name}`],
  ['writes', String.raw`(?<!\b(?:for|key|do|on) )\bupdate ${name}`],
  ['writes', String.raw`\b(?:truncate|lock table) (?=([^;]*))`],
  ['reads', String.raw`\bjoin ${name}`],
  ['reads', String.raw`(?<!\bdelete )\b(?:from|using) (?=([^;]*))`],
].map(([verb, pattern]) => [verb, new RegExp(pattern, 'g')])
/** Precedes a table that a statement writes. */
const beforeWritten = /(?:^|(?<!\b(?:for|key|do))\s)(?:insert into|delete from|update|truncate|lock table|copy)\s+$/
/** A word that ends a list of tables. */
const afterTables =
  /\b(?:where|join|left|right|inner|cross|full|natural|on|order|group|having|limit|for|union|except|set|returning|in|restart|cascade|when|values|select|from|using)\b/
/** Tables with a one-letter alias, which a dataset inserts into its statements. */
const tableList = /^[a-z_]+ [a-z](?: join .*)?$/

/**
 * Returns a message for each violation of the law.
 *
 * @param {ReadonlyMap<string, string>} sources contents by path from the root of the repository
 * @param {Partial<typeof law>} exceptions
 */
export function findViolations(sources, { withoutStore = [], ...exceptions } = law) {
  const entries = entriesOf(exceptions)
  const used = new Set()
  const judge = (file, { line, verb, table }) => {
    const list = listOf(homeOf(file), verb, ownerOf.get(table))
    if (list === undefined) return []
    const entry = entries.find(
      (it) => it.list === list && it.table === table && file.startsWith(`${server}/${it.place}`),
    )
    used.add(entry)
    return entry ? [] : [`${file}:${line} ${verb} ${table} of ${ownerOf.get(table) ?? 'any owner'}: not in ${list}`]
  }
  const judgePlace = (file, { line }) => {
    if (!wings.includes(homeOf(file)) || store.test(file)) return []
    const entry = withoutStore.find(({ place }) => file === `${server}/${place}`)
    used.add(entry)
    return entry ? [] : [`${file}:${line} has SQL and is not a store: not in withoutStore`]
  }
  const violations = [...sources].flatMap(([file, content]) =>
    findStatements(file, content).flatMap((found) => [
      ...judgePlace(file, found),
      ...tablesOf(found.text).flatMap((each) => judge(file, { ...found, ...each })),
    ]),
  )
  const unused = entries.filter((entry) => !used.has(entry))
  const unusedPlaces = withoutStore.filter((entry) => !used.has(entry))
  return [
    ...violations,
    ...unused.map(({ list, place, table }) => `${list}: ${place} has no statement with ${table}`),
    ...unusedPlaces.map(({ place }) => `withoutStore: ${place} has no SQL`),
  ]
}

function entriesOf({ reads = {}, ...lists }) {
  const ofWings = Object.entries(reads).map(([wing, tables]) => ({ list: 'reads', place: `domain/${wing}/`, tables }))
  const ofPlaces = Object.entries(lists).flatMap(([list, entries]) => entries.map((entry) => ({ ...entry, list })))
  return [...ofWings, ...ofPlaces].flatMap(({ list, place, tables }) =>
    tables
      .trim()
      .split(/\s+/)
      .map((table) => ({ list, place, table })),
  )
}

/** Returns the list that has to contain a statement; undefined if it is allowed. */
function listOf(home, verb, owner) {
  if (home !== undefined && home === owner) return
  if (!wings.includes(home)) return 'outside'
  if (verb === 'writes') return 'writes'
  return wings.includes(owner) && wings.indexOf(owner) < wings.indexOf(home) ? 'readsUpwards' : 'reads'
}

/** Returns the wing of a file, or its folder outside of the domain. Others have none. */
function homeOf(file) {
  const [, folder, wing] = new RegExp(`^${server}/(\\w+)/(?:(\\w+)/)?`).exec(file) ?? []
  return folder === 'domain' ? wing : folder
}

/** Returns the statements of a file, and parts of statements. */
function findStatements(file, content) {
  const { program } = parseSync(file, content)
  const found = []
  const add = ({ start }, text) => {
    const line = content.slice(0, start).split('\n').length
    found.push({ line, text })
  }
  // Other text is judged if it is a statement.
  const addText = (node, text) => {
    if (tableList.test(text)) add(node, `from ${text}`)
    else if (statement.test(text.replace(/^[\s(]+/, ''))) add(node, text)
  }
  const tagged = new Set()
  new Visitor({
    TaggedTemplateExpression: ({ tag, quasi }) => {
      tagged.add(quasi)
      if (/(?:^|[.#])(?:sql|tx)$/.test(content.slice(tag.start, tag.end))) add(quasi, textOf(quasi))
    },
  }).visit(program)
  new Visitor({
    TemplateLiteral: (node) => {
      if (!tagged.has(node)) addText(node, textOf(node))
    },
    Literal: (node) => {
      if (typeof node.value === 'string') addText(node, node.value)
    },
  }).visit(program)
  return found
}

/** Returns the text of a template, with the computed names of tables as `*` and all other expressions as `?`. */
function textOf({ quasis, expressions }) {
  const isTable = (before, { type, callee }) =>
    beforeWritten.test(before) || (type === 'CallExpression' && /^(?:sql|tx)$/.test(callee.name))
  return quasis
    .map(({ value: { cooked } }, index) => {
      const expression = expressions[index]
      if (expression === undefined) return cooked
      return cooked + (isTable(cooked, expression) ? computed : '?')
    })
    .join('')
}

function tablesOf(text) {
  const found = partsOf(text).flatMap((part) =>
    mentions.flatMap(([verb, pattern]) =>
      [...part.matchAll(pattern)].flatMap(([, list]) => namesOf(list).map((table) => ({ verb, table }))),
    ),
  )
  return found.filter(({ table }) => table === computed || ownerOf.has(table))
}

function namesOf(list) {
  const [tables] = list.split(afterTables)
  return tables.split(',').flatMap((each) => new RegExp(`^${name}`).exec(each.trim())?.[1] ?? [])
}

/** Returns a statement and the contents of each of its parentheses, without comments, values and needless words. */
function partsOf(text) {
  let rest = text
    .toLowerCase()
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/'[^']*'/g, '?')
    .replaceAll(/\b(?:only|lateral|(?<=truncate\s+)table)\b/g, '')
  const parts = []
  const innermost = /\(([^()]*)\)/g
  while (innermost.test(rest)) {
    rest = rest.replaceAll(innermost, (_, inner) => {
      parts.push(inner)
      return ' ? '
    })
  }
  return [...parts, rest].map((part) => part.replaceAll(/\s+/g, ' '))
}

/** Returns the sources that the law applies to, by path. */
function readSources() {
  const files = globSync(`${server}/**/*.ts`).filter((file) => !/\.(?:test|bench|fixture)\.ts$/.test(file))
  return new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
}

if (process.argv[1] === import.meta.filename) {
  const violations = findViolations(readSources())
  for (const violation of violations) console.log(violation)
  process.exitCode = violations.length > 0 ? 1 : 0
}

/** What to do about errors of PostgreSQL that its operator can correct, by SQLSTATE or its class. */
const advices: Record<string, string> = {
  '08': 'Check that it runs and that no firewall or pooler ends its connections.',
  '25006': 'It is a standby or read-only: set DATABASE_URL to the primary.',
  '28': 'Check user and password of DATABASE_URL, and pg_hba.conf.',
  '3D000': 'Create the database, or correct its name in DATABASE_URL.',
  '42501': 'Make the user of DATABASE_URL the owner of the database and of everything in it.',
  '53100': 'Free space on its disk.',
  '53200': 'Give its machine more memory, or lower its settings of memory.',
  '53300':
    'It has no free connection: stop programs that use it, lower SOUK_DATABASE_CONNECTIONS, or raise max_connections ' +
    'or the connection limit of the role or the database.',
  '53': 'Give it more resources.',
  '55P03': 'Another program holds a lock for long: find it in pg_stat_activity, and end it.',
  '57014': 'A statement took too long: the database is busy, or another program holds a lock.',
  '57': 'It was stopped, or ended the connection: start again when it runs.',
  '58': 'Read its log.',
  XX: 'Read its log: it may be damaged.',
}

/** Errors of connections, by the code of Node. */
const connectionCodes = /^(ECONN\w+|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOST\w+|ENET\w+|CONNECTION_\w+|ERR_TLS_\w+)$/
const isSqlState = (code: string) => /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code)

/**
 * Returns a sentence for an error of the database or of the connection to it that says what to do, or undefined for
 * another error, such as a mistake in a statement.
 */
export function explainDatabaseFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { message } = error
  const code = 'code' in error ? String(error.code) : ''
  // The driver has no code for a connection that ended.
  if (connectionCodes.test(code) || /^(the connection to the database ended|Connection terminated)/.test(message)) {
    return `The database cannot be reached: ${withoutPeriod(message || code)}. ${advices['08']}`
  }
  const advice = isSqlState(code) ? (advices[code] ?? advices[code.slice(0, 2)]) : undefined
  return advice === undefined ? undefined : `The database reports: ${withoutPeriod(message)} (${code}). ${advice}`
}

const withoutPeriod = (text: string) => text.replace(/\.$/, '')

import { minute, second } from '@souk/contract'

/** Limits of a database session, ms; 0 for none. */
export interface SessionLimits {
  /** Maximum duration of a statement. */
  statement: number
  /** Maximum wait for a lock. */
  lock: number
  /** Maximum time that a transaction may wait for its next statement. */
  idleInTransaction: number
}

/** A silent server holds its locks for `idleInTransaction`. Statements that wait for them fail before that. */
export const defaultLimits: SessionLimits = { statement: 10 * second, lock: 5 * second, idleInTransaction: 10 * second }

/** Limits of migrations, whose statements may rewrite tables and wait for each other. */
export const migrationLimits: SessionLimits = { statement: 60 * minute, lock: 60 * minute, idleInTransaction: minute }

/** Limits of connections that execute trivial statements only, such as heartbeats. */
export const heartbeatLimits: SessionLimits = {
  statement: 5 * second,
  lock: 5 * second,
  idleInTransaction: 10 * second,
}

/** PostgreSQL cancels a statement at its limit. If its answer is not there by then, the server is silent. */
const answerTimeout = 2 * second

/** Returns the time after which a statement without an answer ends its connection, ms; 0 for none. */
export function deadlineOf(statement: number): number {
  return statement === 0 ? 0 : statement + Math.min(answerTimeout, statement)
}

/**
 * Returns the parameters that PostgreSQL applies from the start of a session (ADR 305). It detects a client that is
 * silent after 15 s, in milliseconds or seconds as each parameter demands, and then releases its locks.
 */
export function sessionParameters(limits: SessionLimits): Record<string, string> {
  return {
    statement_timeout: String(limits.statement),
    lock_timeout: String(limits.lock),
    idle_in_transaction_session_timeout: String(limits.idleInTransaction),
    tcp_keepalives_idle: '5',
    tcp_keepalives_interval: '5',
    tcp_keepalives_count: '2',
    tcp_user_timeout: String(15 * second),
  }
}

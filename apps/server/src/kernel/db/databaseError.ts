import pg from 'pg'

/** The database's own error. `code` is its SQLSTATE, `constraint` the name of the constraint that failed. */
export type DatabaseError = pg.DatabaseError & { code: string }

/** Returns whether the database refused a statement or a connection, rather than being away. */
export function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof pg.DatabaseError && error.code !== undefined
}

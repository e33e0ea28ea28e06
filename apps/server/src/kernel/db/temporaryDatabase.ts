import { randomBytes } from 'node:crypto'
import { Session } from './session.ts'

/** A database that exists until `stop`. */
export interface TemporaryDatabase {
  /** Contains the password; never log it. */
  url: string
  stop(): Promise<void>
}

/**
 * Creates a database on the PostgreSQL of `server`, whose role needs the right to create databases.
 * @throws Error if it cannot be reached, or refuses
 */
export async function createTemporaryDatabase(server: string): Promise<TemporaryDatabase> {
  const name = `souk_check_${randomBytes(8).toString('hex')}`
  // SQL: hexadecimal digits.
  await runOn(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    // SQL: hexadecimal digits.
    stop: () => runOn(server, `drop database if exists ${name} with (force)`),
  }
}

async function runOn(url: string, statement: string): Promise<void> {
  const session = await Session.open(url, 'souk restore')
  try {
    await session.run(statement)
  } finally {
    await session.close()
  }
}

import { randomBytes } from 'node:crypto'
import { minute } from '@souk/contract'
import { inject } from 'vitest'
import { defaultLimits } from '../src/kernel/db/limits.ts'
import { connect, type Sql } from '../src/kernel/db/pool.ts'

/** A migrated database for one test file. */
export interface FreshDatabase {
  url: string
  sql: Sql
  /** Closes `sql` and drops the database, disconnecting everyone. */
  drop(): Promise<void>
}

/** Creates a migrated, empty database by copying the run's template, which takes a few dozen milliseconds. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const template = new URL(inject('templateUrl'))
  return create(template, template.pathname.slice(1))
}

/** Creates a database without any tables. */
export async function emptyDatabase(): Promise<FreshDatabase> {
  return create(new URL(inject('templateUrl')), 'template0')
}

async function create(server: URL, template: string): Promise<FreshDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const onServer = async (statement: string) => {
    const admin = connect(withName(server, 'postgres'), { max: 1 })
    await admin.unsafe(statement)
    await admin.end()
  }
  await onServer(`create database ${name} template ${template}`)

  const url = withName(server, name)
  // Tests insert many rows with one statement, on busy machines.
  const sql = connect(url, { limits: { ...defaultLimits, statement: minute } })
  return {
    url,
    sql,
    async drop() {
      await sql.end({ timeout: 1 })
      await onServer(`drop database if exists ${name} with (force)`)
    },
  }
}

function withName(url: URL, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

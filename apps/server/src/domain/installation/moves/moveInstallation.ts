import { SoukError } from '@souk/contract'
import { OffsetClock } from '../../../kernel/clock.ts'
import { withBaseline } from '../../../kernel/db/baseline.ts'
import { findUnknownMigration, migrate, migrationLock, readMigrations } from '../../../kernel/db/migrate.ts'
import { connect } from '../../../kernel/db/pool.ts'
import { Session } from '../../../kernel/db/session.ts'
import { audit } from '../audit/index.ts'
import {
  copyRows,
  type Figures,
  figuresOf,
  findOwner,
  listMigrations,
  type Progress,
  takeSnapshot,
} from '../backups/index.ts'
import { operator } from './destination.ts'
import { updateToArrived } from './store.ts'
import { acceptWrites, isMoving, refuseWrites } from './writes.ts'

/** Oldest PostgreSQL that runs Souk, as `server_version_num`. */
const minVersion = 150_000

/** A database by its URL, and by a name without secrets that is stored and shown. */
export interface Place {
  url: string
  name: string
}

export interface MoveOptions {
  from: Place
  to: Place
  progress: Progress
  /** Called when writes are refused. */
  onReadOnly?: () => void
  /** Called when the rows are in the target, before the source gives them up; nothing has moved if it fails. */
  beforeSwitch?: () => Promise<void>
}

export interface Moved {
  figures: Figures
  /** Time for which writes were refused so far, ms. 0 if an interrupted move was completed. */
  readOnly: number
}

/**
 * Moves the installation to an empty database, while servers run: refuses writes, copies and compares all rows, and
 * makes the old database refuse writes for good. A move that fails or dies leaves the old database in use. One that was
 * interrupted after the old database had given up is completed by the next call (ADR 309).
 * @throws SoukError `installation_moved`, `move_target_unusable`, `copy_mismatch`, `move_failed`
 */
export async function moveInstallation(options: MoveOptions): Promise<Moved> {
  const { from, to } = options
  const source = await openSession(from)
  let target: Session | undefined
  try {
    target = await openSession(to)
    const movedTo = await findDestination(source)
    const moved = movedTo === undefined ? await moveRows(source, target, options) : await resume(target, movedTo, to)
    await complete(options)
    return moved
  } catch (error) {
    if (error instanceof SoukError) throw error
    throw new SoukError('move_failed', `${(error as Error).message}.`, { cause: error })
  } finally {
    await target?.close()
    await source.close()
  }
}

async function openSession({ url, name }: Place): Promise<Session> {
  return Session.open(url, 'souk move').catch((error: Error) => {
    throw new SoukError('move_failed', `${name} cannot be used: ${error.message}. Nothing has changed.`)
  })
}

/**
 * Returns where the installation has moved, if it has.
 * @throws SoukError `move_failed` if there is no installation
 */
async function findDestination(source: Session): Promise<string | undefined> {
  // As JSON, since databases of older versions do not have the column.
  const [found] = await source
    .run<{ movedTo: string | null }>(`select to_json(installation) ->> 'moved_to' as "movedTo" from installation`)
    .catch(() => [])
  if (!found)
    throw new SoukError('move_failed', 'No server has started with this database yet: there is nothing to move.')
  return found.movedTo ?? undefined
}

async function moveRows(source: Session, target: Session, options: MoveOptions): Promise<Moved> {
  const { from, to, progress, onReadOnly, beforeSwitch } = options
  let outcome = 'Nothing has changed, and writes are accepted again.'
  let began = 0
  try {
    await checkSource(source)
    await checkTarget(target, to)
    await migrate(to.url)
    began = performance.now()
    await refuseWrites(source)
    onReadOnly?.()
    const tables = await takeSnapshot(source)
    await target.run('begin')
    // Servers that start now wait.
    // SQL: two numbers.
    await target.run(`select pg_advisory_xact_lock(${migrationLock.join(', ')})`)
    await checkTarget(target, to)
    const figures = await copyRows({ source, target, tables, progress })
    await target.run('update installation set is_arriving = true')
    await target.run('commit')
    await source.run('commit')
    await beforeSwitch?.()
    outcome =
      'It is unknown whether the data has moved. Run the command again: it completes the move, or starts it again.'
    await source.run('update installation set moved_to = $1', [to.name])
    return { figures, readOnly: Math.round(performance.now() - began) }
  } catch (error) {
    if (began > 0) await cancelMove(source, from)
    if (error instanceof SoukError) throw error
    throw new SoukError('move_failed', `${(error as Error).message}. ${outcome}`, { cause: error })
  }
}

/** Releases the lock and accepts writes again. A running server removes the triggers if this fails. */
async function cancelMove(source: Session, from: Place): Promise<void> {
  await source.close().catch(() => {})
  const sql = connect(from.url, { max: 1, applicationName: 'souk move' })
  await acceptWrites(sql).catch(() => {})
  await sql.end({ timeout: 1 })
}

async function resume(target: Session, movedTo: string, to: Place): Promise<Moved> {
  const [found] = await target
    .run<{ arriving: boolean }>('select is_arriving as arriving from installation')
    .catch(() => [])
  if (movedTo === to.name && found?.arriving) return { figures: await figuresOf(target), readOnly: 0 }
  throw new SoukError('installation_moved', `Its data is in ${movedTo}.`)
}

/** Lets servers start on the target. */
async function complete({ from, to }: MoveOptions): Promise<void> {
  const sql = connect(to.url, { max: 1, applicationName: 'souk move' })
  try {
    await sql.begin(async (tx) => {
      await updateToArrived(tx)
      const detail = { from: from.name, to: to.name }
      await audit({ clock: new OffsetClock() }, tx, operator, {
        action: 'installation.move',
        subject: 'installation',
        detail,
      })
    })
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/**
 * @throws SoukError `move_failed` if another move is running, or the tables of the source are not those of this version
 * @throws OldSchemaError
 */
async function checkSource(source: Session): Promise<void> {
  if (await isMoving(source)) throw new SoukError('move_failed', 'Another souk move is running. Nothing has changed.')
  const own = await readMigrations()
  const applied = withBaseline(await listMigrations(source), own)
  if (own.length === applied.length && !(await findUnknownMigration(applied))) return
  throw new SoukError(
    'move_failed',
    'The database was last used by another version of Souk. Start the server of this version once. Nothing has changed.',
  )
}

/** @throws SoukError `move_target_unusable` */
async function checkTarget(target: Session, { name }: Place): Promise<void> {
  const [settings] = await target.run<{ version: number; encoding: string }>(`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`)
  const { version, encoding } = settings!
  if (version < minVersion) {
    throw unusable(name, `PostgreSQL ${Math.floor(version / 10_000)} is too old: Souk needs 15 or newer.`)
  }
  if (encoding !== 'UTF8')
    throw unusable(name, `Its encoding is ${encoding}. Create a database with the encoding UTF8.`)
  const owner = await findOwner(target)
  if (owner) throw unusable(name, `${owner} Create an empty one for the installation.`)
}

const unusable = (name: string, reason: string) =>
  new SoukError('move_target_unusable', `${name}: ${reason} Nothing has changed.`)

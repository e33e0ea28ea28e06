import { appealRight, type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { readCursor, readPage } from '../../../kernel/db/page.ts'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { projectsWhere } from '../projects/index.ts'
import { announceAnswer, announceAppeal } from './announce.ts'
import { accountOf } from './states.ts'
import {
  type Block,
  findBlock,
  listBlockRows,
  listBlocksById,
  listBlocksOfProject,
  lockBlock,
  type StoredBlock,
  updateAnswer,
  updateAppeal,
} from './store.ts'

type Operations = typeof consoleOperations

/** Lists what operators block in a project. Blocks of accounts are shown to those who may manage its members. */
export async function listBlocks(
  context: Context,
  caller: ConsoleCaller,
  { projectId }: ParametersOf<Operations['listBlocks']>,
): Promise<ResultOf<Operations['listBlocks']>> {
  const managed = caller.kind === 'serviceAccount' ? [] : await projectsWhere(context, caller, 'project.manage')
  return listBlocksOfProject(context.sql, projectId, { accounts: managed === 'all' || managed.includes(projectId) })
}

/** Lists all blocks, newest first. */
export async function listAllBlocks(
  context: Context,
  _caller: ConsoleCaller,
  { state, subject, lifted, cursor, ...page }: ParametersOf<Operations['listAllBlocks']>,
): Promise<ResultOf<Operations['listAllBlocks']>> {
  const [ctime, blockId] = readCursor(cursor, ['number', 'id'])
  return readPage(context.sql, page, {
    list: (part) => listBlockRows(context.sql, { state, subject, lifted, ...part }),
    before: ctime === undefined ? undefined : ([ctime, blockId] as const),
    keyOf: (block) => [block.ctime, block.blockId],
  })
}

/**
 * Sends the explanation of an owner to the operators.
 * @throws SoukError `block_lifted`, `appeal_exists`, `appeal_unavailable`
 */
export async function appealBlock(
  context: Context<'mailer' | 'vault'>,
  caller: ConsoleCaller,
  { blockId, text }: ParametersOf<Operations['appealBlock']>,
): Promise<ResultOf<Operations['appealBlock']>> {
  return context.sql.begin(async (tx) => {
    const block = await lockInForce(tx, blockId)
    if (!appealRight(block.state)) throw new SoukError('appeal_unavailable')
    if (block.isAppealed) throw new SoukError('appeal_exists')
    await updateAppeal(tx, blockId, { text, appealedBy: accountOf(caller), time: context.clock.real() })
    const [appealed] = await listBlocksById(tx, [blockId])
    await auditBlock(context, tx, caller, block, { action: 'block.appeal' })
    await announceAppeal(context, tx, caller, appealed!)
    return appealed!
  })
}

/**
 * Rejects an appeal; the block stays in force.
 * @throws SoukError `block_not_found`, `block_lifted`, `appeal_missing`
 */
export async function keepBlock(
  context: Context<'mailer' | 'vault'>,
  caller: ConsoleCaller,
  { blockId, answer }: ParametersOf<Operations['keepBlock']>,
): Promise<ResultOf<Operations['keepBlock']>> {
  return context.sql.begin(async (tx) => {
    const block = await lockInForce(tx, blockId)
    if (!block.isAppealed || block.isAnswered) throw new SoukError('appeal_missing')
    const time = context.clock.real()
    await updateAnswer(tx, blockId, { text: answer, answeredBy: accountOf(caller), time, isLifted: false })
    await auditBlock(context, tx, caller, block, { action: 'block.keep', answer })
    await announceAnswer(context, tx, caller, blockId)
    const [kept] = await listBlocksById(tx, [blockId])
    return kept!
  })
}

/** @throws SoukError `block_not_found`, `block_lifted` */
async function lockInForce(tx: Tx, blockId: string): Promise<StoredBlock> {
  const block = await lockBlock(tx, blockId)
  if (!block) throw new SoukError('block_not_found')
  if (block.isLifted) throw new SoukError('block_lifted')
  return block
}

/** Records what was decided about a block. */
export async function auditBlock(
  context: Context,
  tx: Tx,
  caller: ConsoleCaller,
  { state, subject, projectId }: StoredBlock,
  { action, answer }: { action: string; answer?: string | undefined },
): Promise<void> {
  const detail = { state, ...(answer !== undefined && { answer }) }
  await audit(context, tx, caller, { action, subject, projectId: projectId ?? undefined, detail })
}

/** Finds a block for the check of who may appeal it. */
export async function findAppealed(context: Pick<Context, 'sql'>, blockId: string): Promise<StoredBlock | undefined> {
  return findBlock(context.sql, blockId)
}

/** Returns a block as the console shows it. */
export async function getBlock(tx: Tx, blockId: string): Promise<Block> {
  const [block] = await listBlocksById(tx, [blockId])
  return block!
}

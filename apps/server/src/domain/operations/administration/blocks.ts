import { type BlockState, type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { ConsoleCaller } from '../../caller.ts'
import {
  auditBlock,
  enableUserInTransaction,
  findBlock,
  getBlock,
  liftState,
  type StoredBlock,
} from '../../console/index.ts'
import type { Context } from '../../context.ts'
import {
  enableInTransaction,
  restoreInTransaction,
  restoreProjectInTransaction,
  switchInTransaction,
} from '../../miniApps/index.ts'
import { enableProviderAccount } from '../../money/index.ts'
import { enableAccountInTransaction } from './accounts.ts'

type Lift = typeof consoleOperations.liftBlock

/** What lifting a block ends, besides the block itself. */
interface Lifted {
  context: Context<'mailer' | 'vault'>
  tx: Tx
  caller: ConsoleCaller
  block: StoredBlock
  answer: string | undefined
}

/**
 * Ends each state; returns the mini apps that are affected. What has no entry is only released: developers publish a
 * release and request a capability themselves.
 */
const endState: Partial<Record<BlockState, (lifted: Lifted) => Promise<string[]>>> = {
  async appDisabled({ context, tx, caller, block: { subject: appid }, answer }) {
    await enableInTransaction(context, tx, caller, { appid, answer })
    return [appid]
  },
  async appArchived({ context, tx, caller, block: { subject: appid }, answer }) {
    await restoreInTransaction(context, tx, caller, { appid, answer })
    return [appid]
  },
  projectArchived: ({ context, tx, caller, block: { subject: projectId }, answer }) =>
    restoreProjectInTransaction(context, tx, caller, { projectId, answer }),
  async analyticsOff({ context, tx, caller, block: { subject: projectId }, answer }) {
    await switchInTransaction(context, tx, caller, { projectId, enabled: true, answer })
    return []
  },
  async accountDisabled({ context, tx, caller, block: { subject: accountId }, answer }) {
    await enableAccountInTransaction(context, tx, caller, { accountId, answer })
    return []
  },
  async providerAccountDisabled({ context, tx, caller, block, answer }) {
    const { subject: providerAccountId, projectId } = block
    await enableProviderAccount(context, tx, caller, { providerAccountId, projectId: projectId ?? undefined, answer })
    return []
  },
  async userDisabled({ context, tx, caller, block: { subject: uid }, answer }) {
    await enableUserInTransaction(context, tx, caller, { uid: Number(uid), answer })
    return []
  },
}

/**
 * Lifts a block. What it has stopped works again, unless its owners had stopped it before: then only they are free to
 * start it again.
 * @throws SoukError `block_not_found`, `block_lifted`, `project_archived`
 */
export async function liftBlock(
  context: Context<'mailer' | 'vault'>,
  caller: ConsoleCaller,
  { blockId, answer }: ParametersOf<Lift>,
): Promise<ResultOf<Lift>> {
  const { lifted, appids } = await context.sql.begin(async (tx) => {
    const block = await findBlock(tx, blockId)
    if (!block) throw new SoukError('block_not_found')
    if (block.isLifted) throw new SoukError('block_lifted')
    const end = block.wasSet ? undefined : endState[block.state]
    const appids = (await end?.({ context, tx, caller, block, answer })) ?? []
    if (!end) await liftState(context, tx, caller, block.state, block.subject, answer)
    await auditBlock(context, tx, caller, block, { action: 'block.lift', answer })
    return { lifted: await getBlock(tx, blockId), appids }
  })
  for (const appid of appids) context.apps.forget(appid)
  return lifted
}

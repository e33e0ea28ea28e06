import { type consoleOperations, type ParametersOf, type ResultOf, SoukError, second } from '@souk/contract'
import { notify } from '../../../kernel/outbox.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { deliverDueEvents, disableFailingEndpoints } from '../../messages/index.ts'
import { publishScheduledReleases } from '../../miniApps/index.ts'
import {
  decideSandboxPayments,
  deliverDueCallbacks,
  disableFailingReceivers,
  expireTrades,
  queryPendingAttempts,
  reconcileDays,
  returnOwedMoney,
} from '../../money/index.ts'
import { setOffset } from './loadClock.ts'
import { insertMove, listMoves, upsertOffset, upsertZeroOffset } from './store.ts'

type MoveClock = typeof consoleOperations.moveClock

/** Maximum time for which the response waits for callback deliveries. */
const deliveryTimeout = 5 * second

/**
 * Moves the clock of the installation `forward` ms, or resets it to real time (ADR 43). After a move, all due jobs
 * have run when this returns, except deliveries that take longer than 5 s, which continue.
 *
 * @throws SoukError `parameter_invalid` for both of forward and reset, or neither
 */
export async function moveClock(
  context: Context<'egress' | 'ledger' | 'mailer' | 'rules' | 'sendMessage' | 'stopping' | 'vault' | 'web'>,
  caller: ConsoleCaller,
  { forward, reset = false }: ParametersOf<MoveClock>,
): Promise<ResultOf<MoveClock>> {
  if ((forward !== undefined) === reset) {
    throw new SoukError('parameter_invalid', 'Send either forward or reset.', {
      data: { parameters: ['forward', 'reset'] },
    })
  }

  const { offset, moves } = await context.sql.begin(async (tx) => {
    const moved = forward === undefined ? await upsertZeroOffset(tx) : await upsertOffset(tx, forward)
    const detail = forward === undefined ? { reset } : { forward }
    await audit(context, tx, caller, { action: 'sandbox.clock', subject: 'clock', detail })
    await insertMove(tx, { time: context.clock.real(), offset: moved })
    await notify(tx, 'souk_clock', String(moved))
    return { offset: moved, moves: await listMoves(tx) }
  })
  setOffset(context.clock, offset)
  if (forward !== undefined) await runDueJobs(context)
  return { now: context.clock.real() + offset, offset, moves }
}

/**
 * Runs the due jobs of the workers in this order: sandbox payments, queries of attempts, expiry, refunds and
 * reconciliation, which are queued, scheduled releases, callbacks and events, and what disables their receivers.
 */
async function runDueJobs(
  context: Context<'egress' | 'ledger' | 'mailer' | 'rules' | 'sendMessage' | 'stopping' | 'vault' | 'web'>,
): Promise<void> {
  await decideSandboxPayments(context)
  await queryPendingAttempts(context)
  await expireTrades(context)
  await returnOwedMoney(context)
  await reconcileDays(context)
  await publishScheduledReleases(context)
  const deliveries = Promise.all([deliverDueCallbacks(context), deliverDueEvents(context)]).catch((error: unknown) => {
    context.log.error({ err: error }, 'cannot deliver what is due after moving the clock')
  })
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, deliveryTimeout)
  })
  await Promise.race([deliveries, timeout])
  clearTimeout(timer)
  await disableFailingReceivers(context)
  await disableFailingEndpoints(context)
}

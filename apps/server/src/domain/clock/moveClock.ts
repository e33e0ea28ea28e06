import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { announce } from '../../kernel/outbox.ts'
import { audit } from '../audit/index.ts'
import { deliverDueCallbacks } from '../callbacks/index.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { decideSandboxPayments, queryPendingAttempts } from '../payments/index.ts'
import { expireTrades } from '../trades/index.ts'
import { setOffset } from './loadClock.ts'
import { addToOffset, resetOffset } from './store.ts'

type MoveClock = typeof consoleOperations.moveClock

/** How long the answer waits for merchants to take their callbacks, ms. */
const DELIVERY_PATIENCE = 5_000

/**
 * Moves the clock of the whole installation `forward` ms, or resets it to real time (ADR 64). What has come due by a move
 * forward has happened when this returns, except deliveries that take longer than 5 s, which go on.
 *
 * @throws SoukError `parameter_invalid` for both of forward and reset, or neither.
 */
export async function moveClock(
  context: Context,
  caller: ConsoleCaller,
  { forward, reset = false }: ParametersOf<MoveClock>,
): Promise<ResultOf<MoveClock>> {
  if ((forward !== undefined) === reset) {
    throw new SoukError('parameter_invalid', 'Send either forward or reset.', {
      data: { parameters: ['forward', 'reset'] },
    })
  }

  const offset = await context.sql.begin(async (tx) => {
    const moved = forward === undefined ? await resetOffset(tx) : await addToOffset(tx, forward)
    const detail = forward === undefined ? { reset } : { forward }
    await audit(context, tx, caller, { action: 'sandbox.clock', subject: 'clock', detail })
    await announce(tx, 'souk_clock', String(moved))
    return moved
  })
  setOffset(context.clock, offset)
  if (forward !== undefined) await runWhatIsDue(context)
  return { now: context.clock.real() + offset, offset }
}

/** What the workers would do sooner or later: first the provider, then what is known of it, then the trades, then their callbacks. */
async function runWhatIsDue(context: Context): Promise<void> {
  await decideSandboxPayments(context)
  await queryPendingAttempts(context)
  await expireTrades(context)
  const deliveries = deliverDueCallbacks(context).catch((error: unknown) => {
    context.log.error({ err: error }, 'callbacks that the moved clock made due could not be delivered')
  })
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DELIVERY_PATIENCE)
  })
  await Promise.race([deliveries, patience])
  clearTimeout(timer)
}

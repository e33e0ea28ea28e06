import { second } from '@souk/contract'
import type { Context } from '../../context.ts'
import { acceptWrites, areWritesRefused, movesChannel } from './writes.ts'

/** Interval of looking whether a move has ended, since its process can die without a notice. */
const pollInterval = second

interface Stoppable {
  stop(): Promise<void>
}

/**
 * Runs the worker whenever the database accepts writes: stops it when a move of the installation begins, and starts it
 * again if the move fails.
 */
export async function pauseDuringMoves(
  { sql, log }: Pick<Context, 'sql' | 'log'>,
  startWorker: () => Promise<Stoppable>,
): Promise<Stoppable> {
  let worker: Stoppable | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function follow(): Promise<void> {
    if (isStopped) return
    clearTimeout(timer)
    const refused = await areWritesRefused(sql)
    if (refused && worker) {
      log.warn({}, 'the installation is being moved: writes are refused, and no jobs run')
      const running = worker
      worker = undefined
      await running.stop()
    }
    if (!refused && !worker) {
      await acceptWrites(sql)
      worker = await startWorker()
      log.info({}, 'writes are accepted again, and jobs run')
    }
  }

  let following = Promise.resolve()
  const followInTurn = () => {
    following = following
      .then(follow)
      .catch((error: Error) =>
        log.warn({ reason: error.message }, 'cannot see whether the installation is being moved'),
      )
      .then(() => {
        if (!isStopped && !worker) timer = setTimeout(followInTurn, pollInterval)
      })
  }

  await acceptWrites(sql)
  if (!(await areWritesRefused(sql))) worker = await startWorker()
  const { unlisten } = await sql.listen(movesChannel, followInTurn, followInTurn)
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      void unlisten().catch(() => {})
      await following
      await worker?.stop()
    },
  }
}

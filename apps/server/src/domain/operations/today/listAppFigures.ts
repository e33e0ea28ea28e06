import { type consoleOperations, day, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { sumSales } from '../../money/index.ts'
import { listFigures } from './store.ts'

type Operation = (typeof consoleOperations)['listAppFigures']

const maxApps = 50
/** Maximum and default number of days. */
const maxDays = 92
const defaultDays = 30

/**
 * Lists the newest mini apps of a project with what happened in a range of time of the domain clock.
 * @throws SoukError `too_many_trades`, `parameter_invalid` for more than 92 days
 */
export async function listAppFigures(
  context: Context,
  _caller: ConsoleCaller,
  { projectId, ...range }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { sql, clock } = context
  const { to = clock.now() + 1 } = range
  const { from = to - defaultDays * day } = range
  if (to - from > maxDays * day) {
    throw new SoukError('parameter_invalid', `from and to may be at most ${maxDays} days apart.`, {
      data: { parameters: ['from', 'to'] },
    })
  }
  // Openings are counted in real time, from which a sandbox can move the domain clock.
  const ahead = clock.now() - clock.real()
  const figures = await listFigures(sql, projectId, { from, to, ahead, limit: maxApps })
  const appids = figures.map(({ appid }) => appid)
  const sales = await sumSales(context, { projectIds: [projectId], appids, period: { from, to } })
  return figures.map((figure) => ({
    ...figure,
    sales: sales.filter(({ appid }) => appid === figure.appid).map(({ currency, amount }) => ({ currency, amount })),
  }))
}

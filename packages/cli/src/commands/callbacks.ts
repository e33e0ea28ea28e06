import { consoleOperations, type ResultOf, statusName } from '@souk/contract'
import { type Command, Option } from 'commander'
import { formatDuration } from '../duration.ts'
import { plain, type Style } from '../render.ts'
import type { AddCommand } from '../session.ts'
import { parseNumber } from './arguments.ts'

const { listCallbacks, replayCallback } = consoleOperations

type Callback = ResultOf<typeof replayCallback>

/** `souk callbacks …`: payment result callbacks. */
export function addCallbackCommands(program: Command, add: AddCommand): void {
  const callbacks = program.command('callbacks').description('payment result callbacks and their delivery attempts')

  add<[], { appid: string; state?: Callback['state']; trade?: string; limit?: number }>(callbacks, {
    usage: 'list',
    summary: 'list callbacks of a mini app with their attempts, newest first',
    examples: ['callbacks list --appid demoapp00000001', 'callbacks list --appid demoapp00000001 --state dead --json'],
    options: (command) =>
      command
        .requiredOption('--appid <appid>', 'the mini app')
        .addOption(new Option('--state <state>', 'only these').choices(['pending', 'delivered', 'dead']))
        .option('--trade <tradeNo>', 'only of this trade')
        .option('--limit <number>', 'maximum number (default: 100)', parseNumber),
    action: async ({ server, style, printTimed }, { appid, state, trade, limit }) => {
      const found = await server.call(listCallbacks, {
        appid,
        ...(state ? { state } : {}),
        ...(trade ? { tradeNo: trade } : {}),
        ...(limit ? { limit } : {}),
      })
      await printTimed(found, (_, relative) =>
        found.length === 0 ? 'No callbacks.' : found.map((it) => describe(it, style, relative)).join('\n\n'),
      )
    },
  })

  add<[string]>(callbacks, {
    usage: 'replay <notifyId>',
    summary: 'redeliver a callback now',
    examples: ['callbacks replay 0123456789abcdef0123456789abcdef'],
    action: async ({ server, style, printTimed }, _, notifyId) => {
      const callback = await server.call(replayCallback, { notifyId })
      await printTimed(callback, (it, relative) => describe(it, style, relative))
    },
  })
}

function describe(callback: Callback, style: Style, relative: (time: number) => string): string {
  const { notifyId, outTradeNo, tradeNo, transactionStatus, notifyUrl, state, nextAttempt, ctime, attempts } = callback
  const color = ({ delivered: 'green', pending: 'yellow', dead: 'red' } as const)[state]
  const next = nextAttempt === null ? '' : `, next attempt ${relative(nextAttempt)}`
  return [
    `${style('bold', plain(outTradeNo))} ${statusName(transactionStatus)} ${relative(ctime)}: ${style(color, state)}${next}`,
    style('dim', `  notifyId ${notifyId}, tradeNo ${tradeNo}, to ${plain(notifyUrl)}`),
    ...attempts.map((it) => {
      const answer =
        it.status === null ? `no response: ${plain(it.error)}` : `${it.status} ${plain(it.reply ?? '')}`.trim()
      const mark = it.acknowledged ? style('green', '✓') : style('red', '✗')
      const via = it.via === 'listen' ? ', via souk listen' : ''
      return `  ${mark} ${it.attempt}. ${answer} ${style('dim', `after ${formatDuration(it.duration)}, ${relative(it.time)}${via}`)}`
    }),
  ].join('\n')
}

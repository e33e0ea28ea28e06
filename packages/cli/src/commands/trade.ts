import { consoleOperations, failReasonTypes, statusName } from '@souk/contract'
import type { Command } from 'commander'
import { fields, plain } from '../render.ts'
import type { AddCommand } from '../session.ts'

/** `souk trade`: a trade with its history. */
export function addTradeCommand(program: Command, add: AddCommand): void {
  add<[string]>(program, {
    usage: 'trade <tradeNo>',
    examples: ['trade 2123456789abcdef0123456789abcdef', 'trade 2123456789abcdef0123456789abcdef --json'],
    action: async ({ server, style, printTimed }, _, tradeNo) => {
      const found = await server.call(consoleOperations.getTrade, { tradeNo })
      await printTimed(found, ({ trade, events }, relative) => {
        const reason = failReasonTypes[trade.failReasonType as keyof typeof failReasonTypes]
        return [
          fields(
            [
              ['trade', trade.tradeNo],
              ['order', trade.outTradeNo],
              [
                'status',
                `${statusName(trade.transactionStatus)}${reason ? `: ${reason} (${trade.failReasonType})` : ''}`,
              ],
              ['amount', `${trade.amountStrWithYuan} ${trade.currency}`],
              ['mini app', trade.appId],
              ['payer', String(trade.payer)],
              ['created', relative(trade.ctime)],
              ['expires', relative(trade.timeExpire)],
            ],
            style,
          ),
          '',
          fields(
            events.map(({ time, event, detail }) => [
              relative(time),
              `${plain(event)}${detail === null || detail === undefined ? '' : ` ${style('dim', plain(JSON.stringify(detail)))}`}`,
            ]),
            style,
          ),
        ].join('\n')
      })
    },
  })
}

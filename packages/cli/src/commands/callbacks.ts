import { consoleOperations, type ResultOf, statusName } from '@souk/contract'
import type { Command } from 'commander'
import { parseDuration } from '../duration.ts'
import { plain, type Style, table } from '../render.ts'
import type { AddCommand } from '../session.ts'
import { parseNumber } from './arguments.ts'
import { deliveryState, deliveryStateOption, describeAttempt, describeNext } from './deliveries.ts'

const { listCallbacks, replayCallback, listCallbackReceivers, enableCallbackReceiver } = consoleOperations

type Callback = ResultOf<typeof replayCallback>

/** `souk callbacks …`: callbacks with results of payments and refunds. */
export function addCallbackCommands(program: Command, add: AddCommand): void {
  const callbacks = program.command('callbacks')

  add<[], { appid: string; state?: Callback['state']; trade?: string; limit?: number }>(callbacks, {
    usage: 'list',
    summary: 'list callbacks of a mini app with their attempts, newest first',
    examples: [
      'callbacks list --appid demoapp00000001',
      'callbacks list --appid demoapp00000001 --state failed --json',
    ],
    options: (command) =>
      command
        .requiredOption('--appid <appid>', 'the mini app')
        .addOption(deliveryStateOption())
        .option('--trade <tradeNo>', 'only callbacks of this trade')
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
    usage: 'resend <notifyId>',
    summary: 'send a callback again now',
    examples: ['callbacks resend 0123456789abcdef0123456789abcdef'],
    options: (command) => command.alias('replay'),
    action: async ({ server, style, printTimed }, _, notifyId) => {
      const callback = await server.call(replayCallback, { notifyId })
      await printTimed(callback, (it, relative) => describe(it, style, relative))
    },
  })
  addReceiverCommands(callbacks, add)
}

function addReceiverCommands(callbacks: Command, add: AddCommand): void {
  add<[], { project: string }>(callbacks, {
    usage: 'receivers',
    summary: 'list hosts that have failed for a day, and those disabled after five days',
    examples: ['callbacks receivers --project 0123456789abcdef0123456789abcdef'],
    options: (command) => command.requiredOption('--project <projectId>', 'the project'),
    action: async ({ server, style, printTimed }, { project: projectId }) => {
      await printTimed(await server.call(listCallbackReceivers, { projectId }), (found, relative) =>
        found.length === 0
          ? 'All receivers of callbacks work.'
          : table(
              ['APPID', 'HOST', 'STATE', 'FAILING SINCE', 'FAILED CALLBACKS'],
              found.map(({ appid, host, state, failingSince, dead }) => [
                ...[appid, plain(host), style(state === 'disabled' ? 'red' : 'yellow', state)],
                ...[relative(failingSince), String(dead)],
              ]),
              style,
            ),
      )
    },
  })

  add<[string], { appid: string; since?: number }>(callbacks, {
    usage: 'enable <host>',
    summary: 'send callbacks to a disabled host again; with --since, also its failed ones',
    examples: [
      'callbacks enable backend.example --appid demoapp00000001',
      'callbacks enable backend.example --appid demoapp00000001 --since 7d',
    ],
    options: (command) =>
      command
        .requiredOption('--appid <appid>', 'the mini app')
        .option('--since <duration>', 'also resend callbacks that failed in this period', parseDuration),
    action: async ({ server, print, domainTime }, { appid, since }, host) => {
      const from = since === undefined ? {} : { since: Math.max(0, (await domainTime()) - since) }
      print(
        await server.call(enableCallbackReceiver, { appid, host, ...from }),
        ({ replayed }) => `Callbacks to ${plain(host)} are enabled. Delivering ${replayed} callbacks again.`,
      )
    },
  })
}

function describe(callback: Callback, style: Style, relative: (time: number) => string): string {
  const { notifyId, outTradeNo, tradeNo, refundNo, transactionStatus, notifyUrl, state, ctime, attempts } = callback
  const result = `${refundNo ? 'refund ' : ''}${statusName(transactionStatus)}`
  const next = describeNext(callback, 'host', relative)
  return [
    `${style('bold', plain(outTradeNo))} ${result} ${relative(ctime)}: ${deliveryState(state, style)}${next}`,
    style(
      'dim',
      `  notifyId ${notifyId}, tradeNo ${tradeNo}${refundNo ? `, refundNo ${refundNo}` : ''}, to ${plain(notifyUrl)}`,
    ),
    ...attempts.map((attempt) => describeAttempt(attempt, style, relative)),
    // Hosts that were disabled, after failing for days, are the only ones that are not tried.
    ...(state === 'dead' && attempts.length === 0
      ? ['  Not sent: its host is disabled. See souk callbacks receivers.']
      : []),
  ].join('\n')
}

import { consoleOperations } from '@souk/contract'
import type { Command } from 'commander'
import { formatRelative } from '../duration.ts'
import { plain } from '../render.ts'
import type { AddCommand } from '../session.ts'
import { parseNumber } from './arguments.ts'

/** `souk requests`: what mini apps asked for, and why it was refused. */
export function addRequestsCommand(program: Command, add: AddCommand): void {
  add<[], { appid?: string; failed?: true; limit?: number }>(program, {
    usage: 'requests',
    summary: 'list the open API requests, newest first, with what was wrong with a sign',
    examples: ['requests --failed', 'requests --appid demoapp00000001 --limit 20 --json'],
    options: (command) =>
      command
        .option('--appid <appid>', 'only those of this mini app')
        .option('--failed', 'only those that were refused')
        .option('--limit <number>', 'at most this many (default: 100)', parseNumber),
    action: async ({ server, environment, print, style }, { appid, failed, limit }) => {
      const found = await server.call(consoleOperations.listRequests, {
        ...(appid ? { appid } : {}),
        ...(failed ? { failed } : {}),
        ...(limit ? { limit } : {}),
      })
      print(found, () =>
        found.length === 0
          ? 'There is no request.'
          : found
              .map((it) => {
                const status = style(it.status < 400 ? 'green' : 'red', String(it.status))
                const facts = `${formatRelative(it.time, environment.now())}, ${Math.round(it.duration * 10) / 10} ms, request ${plain(it.requestId)}`
                const lines = [
                  `${status} ${style('bold', it.operation)} ${plain(it.appid ?? '–')} ${style('dim', facts)}`,
                ]
                if (it.code) lines.push(`    ${it.code}: ${plain(it.reason ?? '')}`)
                else if (it.reason) lines.push(`    ${plain(it.reason)}`)
                if (it.diagnosis)
                  lines.push(style('dim', `    canonical string: ${plain(it.diagnosis.canonicalString)}`))
                return lines.join('\n')
              })
              .join('\n'),
      )
    },
  })
}

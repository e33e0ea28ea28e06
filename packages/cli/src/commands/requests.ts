import { consoleOperations } from '@souk/contract'
import type { Command } from 'commander'
import { formatRelative } from '../duration.ts'
import { plain } from '../render.ts'
import type { AddCommand } from '../session.ts'
import { parseNumber } from './arguments.ts'

/** `souk requests`: the request log of the open API. */
export function addRequestsCommand(program: Command, add: AddCommand): void {
  add<[], { appid?: string; failed?: true; client?: string; limit?: number }>(program, {
    usage: 'requests',
    examples: [
      'requests --failed',
      'requests --client souk-python',
      'requests --appid demoapp00000001 --limit 20 --json',
    ],
    options: (command) =>
      command
        .option('--appid <appid>', 'only requests of this mini app')
        .option('--failed', 'only failed requests')
        .option('--client <text>', 'only requests whose client, the header User-Agent, contains this')
        .option('--limit <number>', 'maximum number (default: 100)', parseNumber),
    action: async ({ server, environment, print, style }, { appid, failed, client, limit }) => {
      const found = await server.call(consoleOperations.listRequests, {
        ...(appid ? { appid } : {}),
        ...(failed ? { failed } : {}),
        ...(client ? { client } : {}),
        ...(limit ? { limit } : {}),
      })
      print(found, () =>
        found.length === 0
          ? 'No requests.'
          : found
              .map((it) => {
                const status = style(it.status < 400 ? 'green' : 'red', String(it.status))
                const facts = `${formatRelative(it.time, environment.now())}, ${Math.round(it.duration * 10) / 10} ms, request ${plain(it.requestId)}`
                const lines = [
                  `${status} ${style('bold', it.operation)} ${plain(it.appid ?? '–')} ${style('dim', facts)}`,
                ]
                if (it.client) lines.push(style('dim', `    client: ${plain(it.client)}`))
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

import { consoleOperations, type ResultOf } from '@souk/contract'
import type { Command } from 'commander'
import { formatRelative } from '../duration.ts'
import { plain, table } from '../render.ts'
import type { AddCommand } from '../session.ts'

const { listChangeRequests, approveChange, rejectChange, trustProject } = consoleOperations

type ChangeRequest = ResultOf<typeof approveChange>

/** `souk approvals …`: requests to change what mini apps show to host users and may do (ADR 283). */
export function addApprovalCommands(program: Command, add: AddCommand): void {
  const approvals = program.command('approvals')
  addListCommand(approvals, add)
  addDecisionCommands(approvals, add)
  addTrustCommands(approvals, add)
}

function addListCommand(approvals: Command, add: AddCommand): void {
  add<[], { appid?: string; all?: true }>(approvals, {
    usage: 'list',
    summary: 'list pending requests, newest first, at most 200',
    examples: ['approvals list', 'approvals list --appid demoapp00000001 --all --json'],
    options: (command) =>
      command
        .option('--appid <appid>', 'only requests of this mini app')
        .option('--all', 'include decided and withdrawn ones'),
    action: async ({ server, style, print, environment }, { appid, all }) => {
      const { items } = await server.call(listChangeRequests, {
        limit: 200,
        ...(appid ? { appid } : {}),
        ...(all ? {} : { state: 'pending' }),
      })
      print(items, (found) =>
        found.length === 0
          ? 'No requests.'
          : table(
              ['REQUEST', 'PROJECT', 'MINI APP', 'KIND', 'VALUE', 'STATE', 'BY', 'SINCE'],
              found.map((it) => [
                ...[it.changeId, plain(it.projectName), plain(it.appName), it.kind, plain(JSON.stringify(it.value))],
                ...[it.state, plain(it.requestedBy), formatRelative(it.ctime, environment.now())],
              ]),
              style,
            ),
      )
    },
  })
}

function addDecisionCommands(approvals: Command, add: AddCommand): void {
  add<[string]>(approvals, {
    usage: 'approve <changeId>',
    summary: 'approve a request; it takes effect immediately',
    examples: ['approvals approve 0123456789abcdef0123456789abcdef'],
    action: async ({ server, print }, _, changeId) => {
      print(await server.call(approveChange, { changeId }), (it) => `Approved ${describe(it)}.`)
    },
  })
  add<[string], { reason: string }>(approvals, {
    usage: 'reject <changeId>',
    summary: 'reject a request',
    examples: ['approvals reject 0123456789abcdef0123456789abcdef --reason "The name belongs to another company."'],
    options: (command) => command.requiredOption('--reason <text>', 'what the developer has to change'),
    action: async ({ server, print }, { reason }, changeId) => {
      print(await server.call(rejectChange, { changeId, reason }), (it) => `Rejected ${describe(it)}.`)
    },
  })
}

function addTrustCommands(approvals: Command, add: AddCommand): void {
  for (const [word, trusted] of [
    ['trust', true],
    ['distrust', false],
  ] as const) {
    add<[string]>(approvals, {
      usage: `${word} <projectId>`,
      summary: trusted
        ? 'approve all later requests of a project at once'
        : 'stop approving the requests of a project at once',
      examples: [`approvals ${word} 0123456789abcdef0123456789abcdef`],
      action: async ({ server, print }, _, projectId) => {
        print(await server.call(trustProject, { projectId, trusted }), () =>
          trusted ? `Project ${projectId} is trusted.` : `Project ${projectId} is not trusted.`,
        )
      },
    })
  }
}

function describe({ kind, appName, appid }: ChangeRequest): string {
  return `${kind} of ${plain(appName)} (${appid})`
}

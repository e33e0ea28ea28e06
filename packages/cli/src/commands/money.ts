import { randomUUID } from 'node:crypto'
import { amountStrWithYuan, consoleOperations, type ResultOf } from '@souk/contract'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { Unreachable } from '../failure.ts'
import { plain, type Style, table } from '../render.ts'
import type { AddCommand } from '../session.ts'

const { refundTrade, searchRefunds, ledgerBalances, searchReconciliations, getReconciliation } = consoleOperations

type Refund = ResultOf<typeof refundTrade>

/** `souk trades …`, `souk ledger`, `souk reconciliations …`: refunds, balances and reconciliation. */
export function addMoneyCommands(program: Command, add: AddCommand): void {
  const trades = program.command('trades')
  addRefundCommand(trades, add)
  addRefundsCommand(trades, add)
  addLedgerCommand(program, add)

  const reconciliations = program.command('reconciliations')
  addListReconciliationsCommand(reconciliations, add)
  addShowReconciliationCommand(reconciliations, add)
}

function addRefundCommand(trades: Command, add: AddCommand): void {
  add<[string], { reason: string; amount?: number; refundNo?: string }>(trades, {
    usage: 'refund <tradeNo>',
    summary: 'refund a succeeded trade fully or partly',
    examples: [
      'trades refund 2123456789abcdef0123456789abcdef --reason "Sent twice"',
      'trades refund 2123456789abcdef0123456789abcdef --amount 4.50 --reason "One was cold" --json',
    ],
    options: (command) =>
      command
        .requiredOption('--reason <text>', 'reason for the record')
        .option('--amount <amount>', 'amount in major units, such as 12.50 (default: remaining amount)', parseAmount)
        .option('--refund-no <refundNo>', 'idempotency key of 32 hexadecimal digits (default: a new one)'),
    action: async ({ server, print }, { reason, amount, refundNo = randomUUID().replaceAll('-', '') }, tradeNo) => {
      const refund = await server
        .call(refundTrade, { tradeNo, note: reason, refundNo, ...(amount ? { amount } : {}) })
        .catch((error: unknown) => {
          if (!(error instanceof Unreachable)) throw error
          const advice = `It may have been processed: retry with --refund-no ${refundNo}.`
          throw new Unreachable(error.message, advice, error.refusal)
        })
      print(refund, (it) => `Refunding ${money(it.amount, it.currency)}: refund ${it.refundNo}, ${it.state}.`)
    },
  })
}

function addRefundsCommand(trades: Command, add: AddCommand): void {
  add<[], { project: string; state?: Refund['state'] }>(trades, {
    usage: 'refunds',
    summary: 'list refunds of a project, newest first, at most 200',
    examples: ['trades refunds --project 0123456789abcdef0123456789abcdef --state refused'],
    options: (command) =>
      projectOption(command).addOption(
        new Option('--state <state>', 'only refunds in this state').choices(['owed', 'returned', 'refused']),
      ),
    action: async ({ server, style, printTimed }, { project, state }) => {
      const { items } = await server.call(searchRefunds, {
        projectId: project,
        limit: 200,
        ...(state ? { state } : {}),
      })
      await printTimed(items, (found, relative) =>
        found.length === 0
          ? 'No refunds.'
          : table(
              ['refund', 'order', 'amount', 'by', 'state', 'since', 'why'],
              found.map((it) => [
                ...[it.refundNo, it.outTradeNo, money(it.amount, it.currency), it.initiator, it.state],
                relative(it.ctime),
                plain(it.refusal ?? it.note),
              ]),
              style,
            ),
      )
    },
  })
}

function addLedgerCommand(program: Command, add: AddCommand): void {
  add<[], { project: string }>(program, {
    usage: 'ledger',
    examples: ['ledger --project 0123456789abcdef0123456789abcdef'],
    options: projectOption,
    action: async ({ server, style, print }, { project }) => {
      print(await server.call(ledgerBalances, { projectId: project }), (found) =>
        found.length === 0
          ? 'No ledger entries.'
          : table(
              ['mini app', 'paid', 'refunded', 'balance', 'refunds in progress'],
              found.map(({ appid, currency, ...sums }) => [
                appid,
                ...[sums.captured, sums.refunded, sums.balance, sums.returning].map((sum) => money(sum, currency)),
              ]),
              style,
            ),
      )
    },
  })
}

function addListReconciliationsCommand(reconciliations: Command, add: AddCommand): void {
  add<[], { project: string; differing?: true }>(reconciliations, {
    usage: 'list',
    summary: 'list reconciliations of a project, newest first, at most 200; exit status 1 if there are differences',
    examples: ['reconciliations list --project 0123456789abcdef0123456789abcdef --differing'],
    options: (command) => projectOption(command).option('--differing', 'only those with differences'),
    action: async ({ server, style, print }, { project, differing }) => {
      const { items } = await server.call(searchReconciliations, {
        projectId: project,
        limit: 200,
        ...(differing ? { differing } : {}),
      })
      print(items, (found) =>
        found.length === 0
          ? 'No reconciliations.'
          : table(
              ['reconciliation', 'day', 'mini app', 'provider', 'payments', 'differences'],
              found.map((it) => [
                ...[it.reconciliationId, new Date(it.day).toISOString().slice(0, 10), it.appid],
                ...[plain(it.accountName ?? it.account), String(it.attempts), differences(it, style)],
              ]),
              style,
            ),
      )
      return items.some((it) => it.differences > 0) ? 1 : 0
    },
  })
}

function addShowReconciliationCommand(reconciliations: Command, add: AddCommand): void {
  add<[string]>(reconciliations, {
    usage: 'show <reconciliationId>',
    summary: 'show the differences of a reconciliation',
    examples: ['reconciliations show 0123456789abcdef0123456789abcdef --json'],
    action: async ({ server, style, print }, _, reconciliationId) => {
      print(await server.call(getReconciliation, { reconciliationId }), (found) =>
        found.differences.length === 0
          ? 'The ledger and the provider agree.'
          : table(
              ['trade', 'difference', 'ledger', 'provider', 'repaired'],
              found.differences.map((it) => [
                ...[it.tradeNo, it.difference, sum(it.booked, it.bookedCurrency), sum(it.told, it.toldCurrency)],
                it.repaired ? 'yes' : 'no',
              ]),
              style,
            ),
      )
    },
  })
}

function projectOption(command: Command): Command {
  return command.requiredOption('--project <projectId>', 'the project')
}

function differences({ state, differences }: { state: string; differences: number }, style: Style): string {
  if (state === 'running') return 'running'
  return differences === 0 ? style('green', 'none') : style('red', String(differences))
}

function money(cents: number, currency: string): string {
  return `${amountStrWithYuan(cents)} ${currency}`
}

function sum(cents: number | null, currency: string | null): string {
  return cents === null || currency === null ? '-' : money(cents, currency)
}

/** Parses an amount in major units to cents. */
function parseAmount(text: string): number {
  const [major = '', minor = ''] = text.split('.')
  const cents = Number(major) * 100 + Number(minor.padEnd(2, '0'))
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(text) || cents < 1) throw new InvalidArgumentError('Use an amount such as 12.50.')
  return cents
}

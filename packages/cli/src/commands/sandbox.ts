import {
  consoleOperations,
  failReasonTypes,
  type MessageLevel,
  magicAmounts,
  magicRefundAmounts,
  messageLevels,
  type Outcome,
  outcomes,
  type PayMethodName,
  payMethod,
  type ResultOf,
} from '@souk/contract'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { formatDuration, parseDuration } from '../duration.ts'
import { fields, plain, type Style, table } from '../render.ts'
import type { AddCommand } from '../session.ts'
import { parseNumber } from './arguments.ts'
import { addFakeProvidersCommand } from './fakeProviders.ts'

const {
  createUser,
  createCode,
  pay,
  resolvePayment,
  sandboxInbox,
  sandboxHome,
  sandboxSetMessageLevel,
  moveClock,
  getClock,
} = consoleOperations

/** Outcomes in the help text, with all declines as one entry. */
const outcomesShown = [...outcomes.filter((outcome) => !outcome.startsWith('failed:')), 'failed:CODE'].join('|')
const outcomeOption = () =>
  new Option('--outcome <outcome>', `outcome: ${outcomesShown}`).argParser((text: string) => {
    const outcome = outcomes.find((known) => known === text)
    // Unknown outcomes are validated by the server, which may be newer.
    return outcome ?? (text as Outcome)
  })

/** `souk sandbox …`: mock users, payments, providers and the clock. */
export function addSandboxCommands(program: Command, add: AddCommand): void {
  const sandbox = program.command('sandbox')
  addUserCommand(sandbox, add)
  addCodeCommand(sandbox, add)
  addPayCommand(sandbox, add)
  addResolveCommand(sandbox, add)
  addOutcomesCommand(sandbox, add)
  addFakeProvidersCommand(sandbox, add)
  addInboxCommand(sandbox, add)
  addHomeCommand(sandbox, add)
  addMessagesCommand(sandbox, add)
  addClockCommand(sandbox, add)
}

interface UserOptions {
  nickname: string
  country?: string
  phone?: string
  email?: string
  avatar?: string
  claim?: Record<string, string>
}

function collectClaim(text: string, claims: Record<string, string> = {}): Record<string, string> {
  const [, claim = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  if (claim === '' || value === '') throw new InvalidArgumentError('Write claim=value.')
  return { ...claims, [claim]: value }
}

function addUserCommand(sandbox: Command, add: AddCommand): void {
  add<[], UserOptions>(sandbox, {
    usage: 'user',
    summary: 'create a mock user of the host application',
    examples: ['sandbox user --nickname Amal', 'sandbox user --nickname Amal --country +966 --phone 501234567 --json'],
    options: (command) =>
      command
        .requiredOption('--nickname <name>', 'nickname')
        .option('--country <code>', 'country code, such as +966')
        .option('--phone <digits>', 'phone number')
        .option('--email <address>', 'e-mail address')
        .option('--avatar <url>', 'URL of the profile photo')
        .option('--claim <claim=value>', 'claim that a scope of the operator names; can be repeated', collectClaim),
    action: async ({ server, print }, { nickname, country, phone, email, avatar, claim }) => {
      const user = await server.call(createUser, {
        nickname,
        ...(country ? { country } : {}),
        ...(phone ? { phone } : {}),
        ...(email ? { email } : {}),
        ...(avatar ? { avatar } : {}),
        ...(claim ? { claims: claim } : {}),
      })
      print(user, ({ uid }) => `Created ${plain(nickname)} with uid ${uid}.`)
    },
  })
}

function addCodeCommand(sandbox: Command, add: AddCommand): void {
  add<[], { appid: string; uid: number; scope?: string }>(sandbox, {
    usage: 'code',
    summary: 'create a login code, valid once, for 5 minutes, as neu.login() does or, with --scope, neu.getAuthCode()',
    examples: [
      'sandbox code --appid demoapp00000001 --uid 1001',
      'sandbox code --appid demoapp00000001 --uid 1001 --scope user.info,user.phone --json',
    ],
    options: (command) =>
      command
        .requiredOption('--appid <appid>', 'the mini app')
        .requiredOption('--uid <uid>', 'the user', parseNumber)
        .option('--scope <list>', 'scopes that the user consents to'),
    action: async ({ server, print }, { appid, uid, scope }) => {
      const result = await server.call(createCode, { appid, uid, ...(scope ? { scope } : {}) })
      print(result, ({ code }) => code)
    },
  })
}

function addPayCommand(sandbox: Command, add: AddCommand): void {
  add<[string], { uid: number; payMethod?: PayMethodName; outcome?: Outcome }>(sandbox, {
    usage: 'pay <tradeNo>',
    summary: 'pay a trade as a user, with a chosen outcome',
    examples: [
      'sandbox pay 2123456789abcdef0123456789abcdef --uid 1001 --outcome succeeded',
      'sandbox pay 2123456789abcdef0123456789abcdef --uid 1001 --pay-method card --outcome failed:6 --json',
    ],
    options: (command) =>
      command
        .requiredOption('--uid <uid>', 'who pays', parseNumber)
        .addOption(
          new Option('--pay-method <payMethod>', 'payment method (default: card)').choices(Object.keys(payMethod)),
        )
        .addOption(outcomeOption()),
    action: async ({ server, print, style }, { uid, payMethod, outcome }, tradeNo) => {
      const result = await server.call(pay, {
        tradeNo,
        uid,
        ...(payMethod ? { payMethod } : {}),
        ...(outcome ? { outcome } : {}),
      })
      print(result, (it) => paymentResult(it, style))
    },
  })
}

function addResolveCommand(sandbox: Command, add: AddCommand): void {
  add<[string], { outcome: Outcome }>(sandbox, {
    usage: 'resolve <tradeNo>',
    summary: 'resolve a pending payment, even if the trade is already final',
    examples: ['sandbox resolve 2123456789abcdef0123456789abcdef --outcome succeeded'],
    options: (command) => command.addOption(outcomeOption().makeOptionMandatory()),
    action: async ({ server, print, style }, { outcome }, tradeNo) => {
      print(await server.call(resolvePayment, { tradeNo, outcome }), (it) => paymentResult(it, style))
    },
  })
}

function addOutcomesCommand(sandbox: Command, add: AddCommand): void {
  add(sandbox, {
    usage: 'outcomes',
    summary: 'list amounts of payments and refunds that select an outcome',
    examples: ['sandbox outcomes', 'sandbox outcomes --json'],
    action: async ({ print, style }) => {
      const rows = [
        ...Object.entries(magicAmounts).map(([amount, magic]) => ({ of: 'payment', amount: Number(amount), ...magic })),
        ...Object.entries(magicRefundAmounts).map(([amount, magic]) => ({
          of: 'refund',
          amount: Number(amount),
          ...magic,
        })),
      ]
      print(rows, () =>
        table(
          ['OF A', 'AMOUNT IN CENTS', 'OUTCOME', 'WHAT HAPPENS'],
          rows.map(({ of, amount, outcome, meaning }) => [of, String(amount), outcome, meaning]),
          style,
        ),
      )
    },
  })
}

function addInboxCommand(sandbox: Command, add: AddCommand): void {
  add<[], { uid: number }>(sandbox, {
    usage: 'inbox',
    summary: 'list notifications of a user, newest first',
    examples: ['sandbox inbox --uid 1001'],
    options: (command) => command.requiredOption('--uid <uid>', 'the user', parseNumber),
    action: async ({ server, style, printTimed }, { uid }) => {
      const items = await server.call(sandboxInbox, { uid })
      await printTimed(items, (_, relative) =>
        items.length === 0
          ? 'No notifications.'
          : table(
              ['WHEN', 'FROM', 'TITLE', 'TEXT', 'OPENS'],
              items.map((it) => [
                relative(it.ctime),
                plain(it.appName),
                style(it.read ? 'dim' : 'bold', plain(it.title)),
                plain(it.text),
                plain(it.navigateType === '2' ? it.url : (it.link ?? 'the mini app')),
              ]),
              style,
            ),
      )
    },
  })
}

function addHomeCommand(sandbox: Command, add: AddCommand): void {
  add<[], { uid: number }>(sandbox, {
    usage: 'home',
    summary: 'list activity messages on the home page of a user, newest first',
    examples: ['sandbox home --uid 1001'],
    options: (command) => command.requiredOption('--uid <uid>', 'the user', parseNumber),
    action: async ({ server, style, printTimed }, { uid }) => {
      const items = await server.call(sandboxHome, { uid })
      await printTimed(items, (_, relative) =>
        items.length === 0
          ? 'No activity messages.'
          : table(
              ['FROM', 'ACTIVITY', 'TITLE', 'TEXT', 'OPENS', 'ENDS'],
              items.map((it) => [
                plain(it.appName),
                plain(it.activityId),
                style('bold', plain(it.title)),
                plain(it.text),
                plain(it.path ?? 'the mini app'),
                relative(it.validUntil),
              ]),
              style,
            ),
      )
    },
  })
}

function addMessagesCommand(sandbox: Command, add: AddCommand): void {
  add<[], { appid: string; uid: number; level: MessageLevel }>(sandbox, {
    usage: 'messages',
    summary: 'choose which messages of a mini app a user gets',
    examples: ['sandbox messages --appid demoapp00000001 --uid 1001 --level off'],
    options: (command) =>
      command
        .requiredOption('--appid <appid>', 'the mini app')
        .requiredOption('--uid <uid>', 'the user', parseNumber)
        .addOption(
          new Option('--level <level>', 'on, silent (no banner) or off (not delivered)')
            .choices(messageLevels)
            .makeOptionMandatory(),
        ),
    action: async ({ server, print }, { appid, uid, level }) => {
      const result = await server.call(sandboxSetMessageLevel, { appid, uid, level })
      print(result, () => `Messages of ${appid} to user ${uid}: ${level}.`)
    },
  })
}

function addClockCommand(sandbox: Command, add: AddCommand): void {
  add<[], { forward?: number; reset?: true }>(sandbox, {
    usage: 'clock',
    summary: 'show the clock, or move it forward and run due jobs',
    examples: ['sandbox clock --forward 2h', 'sandbox clock --reset', 'sandbox clock --json'],
    options: (command) =>
      command
        .option('--forward <duration>', 'duration such as 90s, 2h, 1h30m or 7d', parseDuration)
        .addOption(new Option('--reset', 'reset to real time').conflicts('forward')),
    action: async ({ server, print }, { forward, reset }) => {
      const clock =
        forward === undefined && !reset
          ? await server.call(getClock, {})
          : await server.call(moveClock, reset ? { reset } : { forward: forward ?? 0 })
      print(clock, ({ now, offset }) =>
        offset === 0
          ? `The sandbox clock shows real time: ${new Date(now).toISOString()}.`
          : `The sandbox is ${formatDuration(offset)} ahead of real time: ${new Date(now).toISOString()}.`,
      )
    },
  })
}

function paymentResult(result: ResultOf<typeof pay>, style: Style): string {
  const { status, failCode, challenge, redirect } = result
  if (challenge) {
    return fields(
      [
        ['3-D Secure', plain(challenge.prompt)],
        ['payNo', plain(challenge.payNo)],
      ],
      style,
    )
  }
  if (redirect) {
    return fields(
      [
        ['Pay at', plain(redirect.url)],
        ['payNo', plain(redirect.payNo)],
      ],
      style,
    )
  }
  if (status === 2) return style('green', 'Result for the payer: succeeded.')
  if (status === 0) return style('yellow', 'Result for the payer: closed, without a result.')
  const reason = failReasonTypes[failCode as keyof typeof failReasonTypes]
  return style('red', `Result for the payer: failed, ${failCode ?? 'without a code'}${reason ? ` (${reason})` : ''}.`)
}

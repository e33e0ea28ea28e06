import { consoleOperations, type HostUserState, hostUserStates, type ResultOf } from '@souk/contract'
import { type Command, Option } from 'commander'
import { Failure } from '../failure.ts'
import { fields, plain, type Style, table } from '../render.ts'
import type { AddCommand } from '../session.ts'

const { searchHostUsers, getHostUser, disableHostUser, enableHostUser, eraseHostUser, exportHostUser } =
  consoleOperations

type HostUser = ResultOf<typeof getHostUser>

/** `souk users …`: users of the host. */
export function addUserCommands(program: Command, add: AddCommand): void {
  const users = program.command('users')
  addListCommand(users, add)
  addShowCommand(users, add)
  addExportCommand(users, add)
  addStateCommands(users, add)
  addEraseCommand(users, add)
}

function addListCommand(users: Command, add: AddCommand): void {
  add<[], { text?: string; state?: HostUserState }>(users, {
    usage: 'list',
    summary: 'list users, newest first, at most 200',
    examples: ['users list', 'users list --text layla --state disabled --json'],
    options: (command) =>
      command
        .option('--text <text>', 'beginning of the name, or the complete uid, subject or e-mail address')
        .addOption(new Option('--state <state>', 'only users in this state').choices(hostUserStates)),
    action: async ({ server, style, printTimed }, { text, state }) => {
      const { items } = await server.call(searchHostUsers, {
        limit: 200,
        ...(text === undefined ? {} : { text }),
        ...(state === undefined ? {} : { state }),
      })
      await printTimed(items, (found, relative) =>
        found.length === 0
          ? 'No users.'
          : table(
              ['UID', 'NAME', 'STATE', 'ISSUER', 'SUBJECT', 'SINCE'],
              found.map((it) => [
                ...[String(it.uid), plain(it.nickName), stateOf(it, style)],
                ...[plain(it.issuer ?? '–'), plain(it.subject ?? '–'), relative(it.ctime)],
              ]),
              style,
            ),
      )
    },
  })
}

function addShowCommand(users: Command, add: AddCommand): void {
  add<[string]>(users, {
    usage: 'show <uid>',
    summary: 'show a user',
    examples: ['users show 10001'],
    action: async ({ server, style, printTimed }, _, uid) => {
      await printTimed(await server.call(getHostUser, { uid: uidOf(uid) }), (it, relative) =>
        fields(
          [
            ['uid', String(it.uid)],
            ['name', plain(it.nickName)],
            ['state', stateOf(it, style)],
            ['e-mail', plain(it.email ?? '–')],
            ['phone', plain(it.phone === null ? '–' : `${it.country ?? ''} ${it.phone}`)],
            ['issuer', plain(it.issuer ?? '–')],
            ['subject', plain(it.subject ?? '–')],
            ['since', relative(it.ctime)],
          ],
          style,
        ),
      )
    },
  })
}

function addExportCommand(users: Command, add: AddCommand): void {
  add<[string]>(users, {
    usage: 'export <uid>',
    summary: 'print everything that is stored about a user, as JSON',
    examples: ['users export 10001 > user.json'],
    action: async ({ server, print }, _, uid) => {
      print(await server.call(exportHostUser, { uid: uidOf(uid) }), (data) => JSON.stringify(data, null, 2))
    },
  })
}

function addStateCommands(users: Command, add: AddCommand): void {
  for (const [word, operation, summary] of [
    ['disable', disableHostUser, 'disable a user: its sessions end, and it cannot sign in'],
    ['enable', enableHostUser, 'enable a disabled user'],
  ] as const) {
    add<[string]>(users, {
      usage: `${word} <uid>`,
      summary,
      examples: [`users ${word} 10001`],
      action: async ({ server, print }, _, uid) => {
        print(await server.call(operation, { uid: uidOf(uid) }), (it) => `${plain(it.nickName)} is ${it.state}.`)
      },
    })
  }
}

function addEraseCommand(users: Command, add: AddCommand): void {
  add<[string], { yes?: true }>(users, {
    usage: 'erase <uid>',
    summary: 'permanently erase a user; trades and ledger keep openIds only',
    examples: ['users erase 10001 --yes'],
    options: (command) => command.option('--yes', 'confirm: this cannot be undone'),
    action: async ({ server, print }, { yes }, uid) => {
      if (!yes) throw new Failure(2, 'Add --yes to confirm: an erased user cannot be restored.')
      print(await server.call(eraseHostUser, { uid: uidOf(uid) }), (it) => `User ${it.uid} is erased.`)
    },
  })
}

/** @throws Failure 2 if it is not a user id */
function uidOf(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Failure(2, `${plain(text)} is not a user id, such as 10001.`)
  return Number(text)
}

function stateOf({ state }: HostUser, style: Style): string {
  const colors = { enabled: 'green', disabled: 'red', erased: 'dim' } as const
  return style(colors[state], state)
}

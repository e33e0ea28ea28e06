import { appidPattern } from '@souk/contract'
import { type Command, InvalidArgumentError } from 'commander'
import { startFakeServer } from '../fake/server.ts'
import { fields } from '../render.ts'
import type { AddCommand } from '../session.ts'

interface FakeOptions {
  port: number
  appid: string
  secret?: string
}

/** `souk fake`: runs a Souk in memory, for tests of a backend. */
export function addFakeCommand(program: Command, add: AddCommand): void {
  add<[], FakeOptions>(program, {
    usage: 'fake',
    examples: [
      'fake',
      'fake --port 0 --json',
      'fake --appid demoapp00000001 --secret 0123456789abcdef0123456789abcdef',
    ],
    options: (command) =>
      command
        .option('--port <number>', 'port on this machine; 0 for any that is free', parsePort, 7080)
        .option('--appid <appid>', 'appid of its mini app', parseAppid, 'demoapp00000001')
        .option('--secret <secret>', 'secret of its mini app (default: a random one)'),
    action: async ({ environment, print, style }, { port, appid, secret }) => {
      const interrupted = environment.untilInterrupted()
      const server = await startFakeServer(port)
      try {
        const app = server.souk.createApp('Fake', appid, secret)
        const { uid } = server.souk.createUser({ nickname: 'Layla', country: '+966', phone: '501234567' })
        print({ url: server.url, appid, secret: app.secrets[0]!.secret, uid }, (shown) =>
          fields(
            [
              ['URL', shown.url],
              ['appid', shown.appid],
              ['Secret', shown.secret],
              ['User', `${shown.uid} (Layla)`],
            ],
            style,
          ),
        )
        if (!interrupted.aborted) {
          await new Promise((done) => interrupted.addEventListener('abort', done, { once: true }))
        }
      } finally {
        await server.close()
      }
      return 0
    },
  })
}

/** Checks an appid, since requests with any other are refused. */
function parseAppid(text: string): string {
  if (!appidPattern.test(text)) {
    throw new InvalidArgumentError('Use 15 lowercase letters and digits, the first a letter.')
  }
  return text
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('Use a number from 0 to 65535.')
  return Number(text)
}

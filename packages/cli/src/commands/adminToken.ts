import { consoleOperations } from '@souk/contract'
import type { Command } from 'commander'
import { plain } from '../render.ts'
import type { AddCommand } from '../session.ts'

const { getAdminToken, rotateAdminToken, disableAdminToken } = consoleOperations

/** `souk admin-token …`: the token that this command line sends. */
export function addAdminTokenCommands(program: Command, add: AddCommand): void {
  const adminToken = program.command('admin-token')

  add(adminToken, {
    usage: 'status',
    summary: 'show whether the admin token is accepted, and where the server stores it',
    examples: ['admin-token status'],
    action: async ({ server, print }) => {
      print(
        await server.call(getAdminToken, {}),
        ({ enabled, file }) => `The admin token is ${enabled ? 'accepted' : 'disabled'}. Its file: ${plain(file)}`,
      )
    },
  })

  add(adminToken, {
    usage: 'rotate',
    summary: 'replace the admin token, on the server in its file; the old one is invalid at once',
    examples: ['admin-token rotate', 'admin-token rotate --json'],
    action: async ({ server, print }) => {
      print(await server.call(rotateAdminToken, {}), ({ token, file }) =>
        [`The new admin token, shown only once, is stored in ${plain(file)}:`, token].join('\n'),
      )
    },
  })

  add(adminToken, {
    usage: 'disable',
    summary:
      'switch the admin token off once an administrator can sign in to the console; this command line then stops',
    examples: ['admin-token disable'],
    action: async ({ server, print }) => {
      print(await server.call(disableAdminToken, {}), ({ file }) =>
        [
          'The admin token is disabled. Use the console.',
          `To switch it on again, create an empty file ${plain(file)} and restart the server.`,
        ].join('\n'),
      )
    },
  })
}

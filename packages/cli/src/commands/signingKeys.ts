import { consoleOperations } from '@souk/contract'
import type { Command } from 'commander'
import { formatRelative } from '../duration.ts'
import { fields, plain, table } from '../render.ts'
import type { AddCommand } from '../session.ts'
import { describeKey } from '../signingKey.ts'

const { listSigningKeys, approveSigningKey, revokeSigningKey } = consoleOperations

/** `souk signing-keys`: the keys that sign releases. */
export function addSigningKeyCommands(program: Command, add: AddCommand): void {
  const keys = program.command('signing-keys')
  addShowCommand(keys, add)
  addListCommand(keys, add)
  addStateCommands(keys, add)
}

function addShowCommand(keys: Command, add: AddCommand): void {
  add(keys, {
    usage: 'show',
    summary: 'show the public key of this machine, which souk upload signs with; creates it on first use',
    examples: ['signing-keys show', 'signing-keys show --json'],
    action: async ({ environment, print, style }) => {
      print(describeKey(await environment.signingKey()), ({ keyId, publicKey }) =>
        fields(
          [
            ['key', keyId],
            ['public key', publicKey],
          ],
          style,
        ),
      )
    },
  })
}

function addListCommand(keys: Command, add: AddCommand): void {
  add(keys, {
    usage: 'list',
    summary: 'list all signing keys, newest first',
    examples: ['signing-keys list', 'signing-keys list --json'],
    action: async ({ server, style, print, environment }) => {
      const colors = { pending: 'yellow', approved: 'green', revoked: 'red' } as const
      const relative = (time: number | null) => (time === null ? '–' : formatRelative(time, environment.now()))
      print(await server.list(listSigningKeys, {}), (found) =>
        found.length === 0
          ? 'No signing keys yet. The first souk upload registers one.'
          : table(
              ['KEY', 'OWNER', 'STATE', 'REGISTERED', 'LAST USED'],
              found.map((it) => [
                it.keyId,
                plain(it.owner),
                style(colors[it.state], it.state),
                relative(it.ctime),
                relative(it.lastUsedAt),
              ]),
              style,
            ),
      )
    },
  })
}

function addStateCommands(keys: Command, add: AddCommand): void {
  add<[string]>(keys, {
    usage: 'approve <keyId>',
    summary: 'approve a key, for installations that require signed releases',
    examples: ['signing-keys approve 0123456789abcdef0123456789abcdef'],
    action: async ({ server, print }, _, keyId) => {
      print(await server.call(approveSigningKey, { keyId }), (it) => `The key of ${plain(it.owner)} is approved.`)
    },
  })

  add<[string]>(keys, {
    usage: 'revoke <keyId>',
    summary: 'permanently revoke a key; releases that it has signed remain',
    examples: ['signing-keys revoke 0123456789abcdef0123456789abcdef'],
    action: async ({ server, print }, _, keyId) => {
      print(await server.call(revokeSigningKey, { keyId }), (it) => `The key of ${plain(it.owner)} is revoked.`)
    },
  })
}

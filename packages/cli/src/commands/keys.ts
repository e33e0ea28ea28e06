import { consoleOperations, type ResultOf } from '@souk/contract'
import { type Command, Option } from 'commander'
import { formatRelative } from '../duration.ts'
import { plain, type Style, table } from '../render.ts'
import type { AddCommand } from '../session.ts'

const { getKeyRing, rotateKeys, retireKey } = consoleOperations
type KeyRing = ResultOf<typeof getKeyRing>

const recoveryVariables = `
Variables:
  SOUK_DATA_DIR, DATABASE_URL, SOUK_MASTER_KEY  the installation, as for its server`

/** `souk keys …`: master keys of the installation. */
export function addKeyCommands(program: Command, add: AddCommand): void {
  const keys = program.command('keys')

  add(keys, {
    usage: 'status',
    summary: 'show the master keys by id, the progress of a rotation, and the processes that use them',
    examples: ['keys status', 'keys status --json'],
    action: async ({ server, style, print, environment }) => {
      print(await server.call(getKeyRing, {}), (ring) => describeRing(ring, style, environment.now()))
    },
  })

  add(keys, {
    usage: 'rotate',
    summary: 'add a master key, seal all secrets with it in the background, then retire the old one',
    examples: ['keys rotate', 'keys rotate --json'],
    action: async ({ server, style, print, environment }) => {
      print(await server.call(rotateKeys, {}), (ring) =>
        [
          'The rotation has started. Follow it with souk keys status.',
          '',
          describeRing(ring, style, environment.now()),
        ].join('\n'),
      )
    },
  })

  add<[], { yes?: boolean }>(keys, {
    usage: 'recover',
    summary:
      'replace lost master keys on this machine, while no server runs: re-issue secrets, and report what is lost',
    examples: ['keys recover', 'keys recover --yes --json'],
    options: (command) =>
      command
        .addOption(new Option('--yes', 'make the changes; without --yes, only report what is lost'))
        .addHelpText('after', recoveryVariables),
    action: ({ environment, json }, { yes }) =>
      environment.runOnServer(['recover', ...(yes ? ['--yes'] : []), ...(json ? ['--json'] : [])]),
  })

  add<[string]>(keys, {
    usage: 'retire <keyId>',
    summary: 'retire an old key at once, which ends its access tokens; or abandon one that is not in use yet',
    examples: ['keys retire 0123456789abcdef'],
    action: async ({ server, print }, _, keyId) => {
      print(await server.call(retireKey, { keyId }), () => `Retired ${keyId}. It is deleted from the key ring.`)
    },
  })
}

function describeRing(ring: KeyRing, style: Style, now: number): string {
  const when = (time: number | null) => (time === null ? '' : formatRelative(time, now))
  const keys = table(
    ['KEY', 'STATE', 'VALUES', 'ADDED', 'RETIRED'],
    ring.keys.map((it) => [
      it.keyId,
      it.state,
      String(it.values),
      when(it.addedAt),
      it.retiresAt === null ? when(it.retiredAt) : `not before ${when(it.retiresAt)}`,
    ]),
    style,
  )
  const processes = table(
    ['PROCESS', 'KEYS FROM', 'READY', 'SEEN'],
    ring.processes.map((it) => [
      `${plain(it.host)} (${it.pid})`,
      it.source,
      it.ready ? 'yes' : `no, has ${it.keyIds.join(', ')}`,
      when(it.seenAt),
    ]),
    style,
  )
  return [describePhase(ring), '', keys, '', processes, ...describeProblems(ring)].join('\n')
}

function describePhase({ phase, values, resealed }: KeyRing): string {
  switch (phase) {
    case 'idle':
      return `No rotation is in progress. ${values} values are sealed.`
    case 'distributing':
      return 'The new key waits until all processes have it. Give the file master-key to those that are not ready.'
    case 'resealing':
      return `${resealed} of ${values} values are sealed with the current key.`
    case 'retiring':
      return `All ${values} values are sealed with the current key. The old one is kept until its access tokens expire.`
  }
}

function describeProblems({ unreadable, missing }: KeyRing): string[] {
  return [
    ...unreadable.map(
      ({ row, keyId, reason }) =>
        `Cannot be decrypted: ${row}, ${reason === 'damaged' ? 'changed or damaged' : `key ${keyId} is missing`}.`,
    ),
    ...missing.map((keyId) => `Values are sealed with the unknown key ${keyId}.`),
  ]
}

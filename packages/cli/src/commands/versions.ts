import { consoleOperations } from '@souk/contract'
import type { Command } from 'commander'
import { formatRelative } from '../duration.ts'
import { plain, table } from '../render.ts'
import type { AddCommand } from '../session.ts'

/** `souk versions`: the versions of Souk that ran on the installation's database. */
export function addVersionsCommand(program: Command, add: AddCommand): void {
  add(program, {
    usage: 'versions',
    examples: ['versions', 'versions --json'],
    action: async ({ server, style, print, environment }) => {
      const relative = (time: number) => formatRelative(time, environment.now())
      print(await server.call(consoleOperations.listVersions, {}), (versions) =>
        table(
          ['VERSION', 'LAST MIGRATION', 'FIRST START', 'LAST START'],
          versions.map((it) => [
            plain(it.version),
            plain(it.lastMigration),
            relative(it.firstStart),
            relative(it.lastStart),
          ]),
          style,
        ),
      )
    },
  })
}

import { consoleOperations } from '@souk/contract'
import type { Command } from 'commander'
import { plain } from '../render.ts'
import type { AddCommand } from '../session.ts'

/** `souk doctor`: checks a running installation and says what to do. */
export function addDoctorCommand(program: Command, add: AddCommand): void {
  add(program, {
    usage: 'doctor',
    examples: ['doctor', 'doctor --json'],
    action: async ({ server, style, print }) => {
      const findings = await server.call(consoleOperations.examine, {})
      const colors = { ok: 'green', warning: 'yellow', error: 'red' } as const
      const width = Math.max(...findings.map(({ check }) => check.length)) + 2
      print(findings, (all) =>
        all
          .map(({ check, state, found, advice }) =>
            [
              `${style(colors[state], state.padEnd(8))}${check.padEnd(width)}${plain(found)}`,
              ...(advice === null ? [] : [`${' '.repeat(8 + width)}${plain(advice)}`]),
            ].join('\n'),
          )
          .join('\n'),
      )
      return findings.some(({ state }) => state === 'error') ? 1 : 0
    },
  })
}

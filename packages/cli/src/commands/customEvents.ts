import { dirname, join } from 'node:path'
import { consoleOperations } from '@souk/contract'
import type { Command } from 'commander'
import { counted, plain, table } from '../render.ts'
import type { AddCommand } from '../session.ts'

const { listCustomEvents } = consoleOperations

/** The file with the declarations of a project, beside pages.json. */
const projectFile = 'custom-events.json'

const withApp = (command: Command) => command.requiredOption('--appid <appid>', 'the mini app')

/** `souk custom-events …`: events that mini apps declare and report (ADR 416). */
export function addCustomEventCommands(program: Command, add: AddCommand): void {
  const events = program.command('custom-events')
  add<[], { appid: string }>(events, {
    usage: 'list',
    summary: 'list the custom events of a mini app, and who has set each',
    examples: ['custom-events list --appid demoapp00000001', 'custom-events list --appid demoapp00000001 --json'],
    options: withApp,
    action: async ({ server, style, print }, { appid }) => {
      print(await server.call(listCustomEvents, { appid }), (found) =>
        found.length === 0
          ? `No custom events yet. Declare them in the console, or in ${projectFile} of the project.`
          : table(
              ['EVENT', 'FIELDS', 'SET BY'],
              found.map(({ name, fields, setBy, version }) => [
                ...[name, plain(Object.keys(fields).join(', ')) || '–'],
                setBy === 'console' ? 'console' : `release ${plain(version ?? '')}`,
              ]),
              style,
            ),
      )
    },
  })
  add<[string | undefined], { appid: string }>(events, {
    usage: 'pull [path]',
    summary: `write the custom events of a mini app to ${projectFile} of its project`,
    examples: ['custom-events pull --appid demoapp00000001', 'custom-events pull my-app --appid demoapp00000001'],
    options: withApp,
    action: async ({ environment, server, print }, { appid }, path = '.') => {
      const { file } = await environment.openProject(path)
      const found = await server.call(listCustomEvents, { appid })
      const declared = Object.fromEntries(found.map(({ name, description, fields }) => [name, { description, fields }]))
      const target = join(dirname(file), projectFile)
      await environment.write(new Blob([`${JSON.stringify(declared, null, 2)}\n`]).stream(), target)
      print(
        { file: target, events: found.length },
        () => `Wrote ${counted(found.length, 'event')} to ${plain(target)}.`,
      )
    },
  })
}

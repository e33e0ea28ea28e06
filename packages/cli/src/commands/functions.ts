import { dirname, join } from 'node:path'
import { consoleOperations, type ParametersOf } from '@souk/contract'
import type { Command } from 'commander'
import { Failure } from '../failure.ts'
import { plain, table } from '../render.ts'
import type { AddCommand } from '../session.ts'

const { listHostFunctions, putHostFunction, removeHostFunction, listHostFunctionGrants, revokeHostFunction } =
  consoleOperations

/** The file with the declarations that a mini app calls, beside pages.json. */
const projectFile = 'host-functions.json'

/** `souk functions …`: functions of the host, which operators declare and mini apps call. */
export function addFunctionCommands(program: Command, add: AddCommand): void {
  const functions = program.command('functions')
  addListCommand(functions, add)
  addProjectCommand(functions, add)
  addSetCommand(functions, add)
  addRemoveCommand(functions, add)
  addGrantCommands(functions, add)
}

function addListCommand(functions: Command, add: AddCommand): void {
  add(functions, {
    usage: 'list',
    summary: 'list the functions of the host that this installation declares',
    examples: ['functions list', 'functions list --json'],
    action: async ({ server, style, print }) => {
      print(await server.call(listHostFunctions, {}), (found) =>
        found.length === 0
          ? 'No functions yet. Declare one with souk functions set.'
          : table(
              ['FUNCTION', 'QUESTION', 'FAILURES'],
              found.map((it) => [
                it.name,
                it.question ? plain(it.question.en) : 'not asked',
                plain(it.failures.map(({ reason }) => reason).join(', ')),
              ]),
              style,
            ),
      )
    },
  })
}

function addProjectCommand(functions: Command, add: AddCommand): void {
  add<[string, string | undefined]>(functions, {
    usage: 'add <name> [path]',
    summary: `write the declaration of a function to ${projectFile} of a mini app, which then may call it`,
    examples: ['functions add loyaltyCard', 'functions add loyaltyCard my-app'],
    action: async ({ environment, server, print }, _, name, path = '.') => {
      const { file, files } = await environment.openProject(path)
      const found = (await server.call(listHostFunctions, {})).find((each) => each.name === name)
      if (!found) throw new Failure(1, `There is no function ${name}.`, 'See souk functions list.')
      const target = join(dirname(file), projectFile)
      const before = files.exists(projectFile) ? parse(target, await environment.readFile(target)) : {}
      const { name: _name, ctime, ...declared } = found
      const text = `${JSON.stringify({ ...before, [name]: declared }, null, 2)}\n`
      await environment.write(new Blob([text]).stream(), target)
      print({ file: target, name }, () => `Added ${name} to ${plain(target)}. The next build writes its types.`)
    },
  })
}

function addSetCommand(functions: Command, add: AddCommand): void {
  add<[string, string]>(functions, {
    usage: 'set <name> <file>',
    summary: 'declare a function, or replace its declaration, from a JSON file',
    examples: ['functions set loyaltyCard loyalty-card.json'],
    action: async ({ environment, server, print }, _, name, file) => {
      const { input, result, question = null, examples, failures = [] } = parse(file, await environment.readFile(file))
      // The server says what is wrong with it.
      const declared = { name, input, result, question, examples, failures } as ParametersOf<typeof putHostFunction>
      print(await server.call(putHostFunction, declared), (it) => `Declared ${it.name}.`)
    },
  })
}

function addRemoveCommand(functions: Command, add: AddCommand): void {
  add<[string]>(functions, {
    usage: 'remove <name>',
    summary: 'remove a function with all grants; calls of it fail',
    examples: ['functions remove loyaltyCard'],
    action: async ({ server, print }, _, name) => {
      print(await server.call(removeHostFunction, { name }), () => `Removed ${plain(name)}.`)
    },
  })
}

function addGrantCommands(functions: Command, add: AddCommand): void {
  add(functions, {
    usage: 'grants',
    summary: 'list which mini apps may call which functions',
    examples: ['functions grants'],
    action: async ({ server, style, print }) => {
      print(await server.call(listHostFunctionGrants, {}), (found) =>
        found.length === 0
          ? 'No mini app may call a function. Reviews grant them.'
          : table(
              ['FUNCTION', 'MINI APP', 'NAME'],
              found.map(({ name, appid, appName }) => [name, appid, plain(appName)]),
              style,
            ),
      )
    },
  })
  add<[string], { appid: string }>(functions, {
    usage: 'revoke <name>',
    summary: 'take a function from a mini app',
    examples: ['functions revoke loyaltyCard --appid demoapp00000001'],
    options: (command) => command.requiredOption('--appid <appid>', 'the mini app'),
    action: async ({ server, print }, { appid }, name) => {
      print(await server.call(revokeHostFunction, { name, appid }), () => `Took ${plain(name)} from ${plain(appid)}.`)
    },
  })
}

/** Returns the object in a JSON file. @throws Failure if there is another value */
function parse(file: string, text: string): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(text)
    if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found as Record<string, unknown>
  } catch {
    // Said below.
  }
  throw new Failure(2, `${file} is not a JSON object.`)
}

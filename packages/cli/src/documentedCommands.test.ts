import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { expect, test } from 'vitest'
import { topLevelCommands } from './commands.ts'
import { type AddCommand, commandsOf } from './session.ts'

const root = join(import.meta.dirname, '../../..')
const pages = globSync(['{README,CONTRIBUTING,SECURITY}.md', 'docs/**/*.md', '{packages,sdks,examples}/*/README.md'], {
  cwd: root,
})

test('pages with a command say where it comes from', () => {
  const without = pages
    .filter((page) => /guides\/|^sdks|^packages/.test(page) && !page.endsWith('/command-line.md'))
    .filter((page) => {
      const text = readFileSync(join(root, page), 'utf8')
      return (
        /^souk |npx souk/m.test(text) &&
        !/command-line\.md#install-it|npm install (?:--save-dev )?@souk\/cli/.test(text)
      )
    })
  expect(without).toEqual([])
})

interface Typed {
  words: string[]
  /** True for what a reader types, false for the name of a command in a sentence. */
  isComplete: boolean
}

/** Returns the words of each `souk …` command of a page, without comments and what the shell reads. */
function commandsIn(page: string): Typed[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/\\\n\s*/g, ' ')
  const found = text.matchAll(
    /(`npx souk |`souk |npm run --silent souk -- |(?:^|\||&& |\$\()\s*(?:\w+=\S* )*(?:npx )?souk )([^`\n|;=][^`\n|;]*)/gm,
  )
  return Array.from(found, ([, start, line]) => ({
    words: (
      line!.replace(/ #.*| && .*| \d?[<>]&?[ \d].*/, '').match(/(?:"[^"]*"|'[^']*'|<[^>]*>|\$\([^)]*\)|[^\s)"'])+/g) ??
      []
    ).map((word) => word.replaceAll(/["']/g, '')),
    isComplete: start !== '`souk ',
  }))
}

/** Guides to what only a clone has, and the one that says so. */
const ofClones = ['docs/guides/example.md', 'docs/guides/command-line.md']

test('guides name the command that readers without a clone have', () => {
  const inClones = pages
    .filter(
      (page) =>
        /guides\/|^sdks|^packages/.test(page) &&
        readFileSync(join(root, page), 'utf8').includes('npm run --silent souk'),
    )
    .filter((page) => !ofClones.includes(page.replace(/^docs\/(?:zh|ar)\//, 'docs/')))
  expect(inClones).toEqual([])
})

/** Returns whether only a value is wrong that readers replace by their own: `$BUYER` or `<uid>`. */
const isOfReader = ({ code, message }: CommanderError) =>
  code === 'commander.invalidArgument' && /argument '(?:\$|<)/.test(message)

test('commands in the documentation exist, and those to type have their arguments', async () => {
  const program = new Command('souk').exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} })
  const runNothing = commandsOf({} as never, () => {})
  const add: AddCommand = (parent, parts) => runNothing(parent, { ...parts, action: async () => undefined })
  // Several commands of a file are added by one function.
  const adders = new Set(await Promise.all(Object.values(topLevelCommands).map(({ load }) => load())))
  for (const addCommands of adders) addCommands(program, add, async () => 0)

  const seen: string[] = []
  const unknown: string[] = []
  for (const page of pages) {
    for (const { words: typed, isComplete } of commandsIn(page)) {
      // The only option before a command.
      const words = typed[0] === '--server' ? typed.slice(2) : typed
      const line = `${page}: souk ${words.join(' ')}`
      const path = [program]
      for (const word of words) {
        const next = path.at(-1)!.commands.find((command) => command.name() === word)
        if (!next) break
        path.push(next)
      }
      const argument = words[path.length - 1]
      const isGroup = path.at(-1)!.commands.length > 0
      if (isGroup && argument !== undefined && /^[a-z]/.test(argument)) unknown.push(line)
      const options = path.flatMap((command) => command.options.map(({ long }) => long))
      const isKnown = (word: string) => ['--help', '--version', ...options].includes(word.split('=')[0]!)
      if (words.some((word) => word.startsWith('--') && !isKnown(word))) unknown.push(line)
      if (isComplete && !words.includes('…')) {
        const error = await program.parseAsync(words, { from: 'user' }).catch((error: unknown) => error)
        if (error instanceof CommanderError && error.exitCode !== 0 && !isOfReader(error)) {
          unknown.push(`${line}: ${error.message}`)
        }
      }
      seen.push(line)
    }
  }
  expect(seen.length).toBeGreaterThan(250)
  expect(unknown).toEqual([])
})

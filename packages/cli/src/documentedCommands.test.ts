import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { topLevelCommands } from './commands.ts'
import { commandsOf } from './session.ts'

const root = join(import.meta.dirname, '../../..')
const pages = globSync(['{README,CONTRIBUTING,SECURITY}.md', 'docs/**/*.md', '{packages,sdks,examples}/*/README.md'], {
  cwd: root,
})

/** Returns the words of each `souk …` command of a page, without comments. */
function commandsIn(page: string): string[][] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/\\\n\s*/g, ' ')
  const found = text.matchAll(/(?:`(?:npx )?souk |npm run --silent souk -- |^(?:\w+=\S* )*(?:npx )?souk )([^`\n|;]+)/gm)
  return Array.from(found, ([, line]) => line!.replace(/ #.*/, '').match(/"[^"]*"|'[^']*'|[^\s)]+/g) ?? [])
}

/** Guides to what only a clone has, and the one that says so. */
const ofClones = ['docs/guides/example.md', 'docs/guides/command-line.md']

test('guides name the command that readers without a clone have', () => {
  const inClones = pages
    .filter(
      (page) => page.includes('guides/') && readFileSync(join(root, page), 'utf8').includes('npm run --silent souk'),
    )
    .filter((page) => !ofClones.includes(page.replace(/^docs\/(?:zh|ar)\//, 'docs/')))
  expect(inClones).toEqual([])
})

test('commands and options in the documentation exist', async () => {
  const program = new Command('souk')
  const add = commandsOf({} as never, () => {})
  // Several commands of a file are added by one function.
  const adders = new Set(await Promise.all(Object.values(topLevelCommands).map(({ load }) => load())))
  for (const addCommands of adders) addCommands(program, add, async () => 0)

  const seen: string[] = []
  const unknown: string[] = []
  for (const page of pages) {
    for (const typed of commandsIn(page)) {
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
      seen.push(line)
    }
  }
  expect(seen.length).toBeGreaterThan(250)
  expect(unknown).toEqual([])
})

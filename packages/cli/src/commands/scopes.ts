import { consoleOperations } from '@souk/contract'
import { type Command, InvalidArgumentError } from 'commander'
import { plain, table } from '../render.ts'
import type { AddCommand } from '../session.ts'

const { listUserScopes, putUserScope, removeUserScope } = consoleOperations

interface SetOptions {
  titleEn: string
  titleZh: string
  titleAr: string
  field: { name: string; claim: string }[]
  consent: boolean
}

/** `souk scopes …`: scopes of user data that the operator defines. */
export function addScopeCommands(program: Command, add: AddCommand): void {
  const scopes = program.command('scopes')
  addListCommand(scopes, add)
  addSetCommand(scopes, add)
  addRemoveCommand(scopes, add)
}

function addListCommand(scopes: Command, add: AddCommand): void {
  add(scopes, {
    usage: 'list',
    summary: 'list the scopes that are defined in addition to user.info, user.phone and user.email',
    examples: ['scopes list', 'scopes list --json'],
    action: async ({ server, style, print }) => {
      print(await server.call(listUserScopes, {}), (found) =>
        found.length === 0
          ? 'No scopes yet. Define one with souk scopes set.'
          : table(
              ['SCOPE', 'TITLE', 'FIELDS', 'CONSENT'],
              found.map((it) => [
                it.scope,
                plain(it.titles.en),
                plain(it.fields.map(({ name, claim }) => `${name}=${claim}`).join(', ')),
                it.requiresConsent ? 'required' : 'not asked',
              ]),
              style,
            ),
      )
    },
  })
}

function addSetCommand(scopes: Command, add: AddCommand): void {
  add<[string], SetOptions>(scopes, {
    usage: 'set <scope>',
    summary: 'define a scope, or replace its definition; users are asked again if it reveals more',
    examples: [
      'scopes set user.qid --title-en "QID number" --title-zh "QID 号码" --title-ar "رقم البطاقة" --field qid=qid_number',
    ],
    options: (command) =>
      command
        .requiredOption('--title-en <text>', 'what it reveals, in English')
        .requiredOption('--title-zh <text>', 'in simplified Chinese')
        .requiredOption('--title-ar <text>', 'in Arabic')
        .requiredOption(
          '--field <name=claim>',
          'field of the user profile, and the claim that has its value; can be repeated',
          collectField,
        )
        .option('--no-consent', 'let every mini app that a user opens read it without asking'),
    action: async ({ server, print }, { titleEn, titleZh, titleAr, field, consent }, scope) => {
      const titles = { en: titleEn, 'zh-Hans': titleZh, ar: titleAr }
      const defined = await server.call(putUserScope, { scope, titles, fields: field, requiresConsent: consent })
      print(defined, (it) => `Defined ${it.scope}. Users have its values after their next sign-in.`)
    },
  })
}

function addRemoveCommand(scopes: Command, add: AddCommand): void {
  add<[string]>(scopes, {
    usage: 'remove <scope>',
    summary: 'remove a scope: its fields can no longer be read, and consents to it end',
    examples: ['scopes remove user.qid'],
    action: async ({ server, print }, _, scope) => {
      print(await server.call(removeUserScope, { scope }), () => `Removed ${plain(scope)}.`)
    },
  })
}

function collectField(text: string, fields: SetOptions['field'] = []): SetOptions['field'] {
  const [, name = '', claim = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  if (name === '' || claim === '') throw new InvalidArgumentError('Write name=claim.')
  return [...fields, { name, claim }]
}

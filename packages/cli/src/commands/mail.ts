import { type ConsoleLanguage, consoleLanguages, consoleOperations, type ResultOf } from '@souk/contract'
import { type Command, Option } from 'commander'
import { formatRelative } from '../duration.ts'
import { fields, plain, type Style, table } from '../render.ts'
import type { AddCommand } from '../session.ts'

const { getMail, sendTestMail } = consoleOperations

/** `souk mail …`: the mail server of the installation. */
export function addMailCommands(program: Command, add: AddCommand): void {
  const mail = program.command('mail')

  add(mail, {
    usage: 'status',
    summary: 'show the mail server, and mails that could not be sent',
    examples: ['mail status', 'mail status --json'],
    action: async ({ server, style, print, environment }) => {
      print(await server.call(getMail, {}), (state) => describe(state, style, environment.now()))
    },
  })

  add<[string], { language?: ConsoleLanguage }>(mail, {
    usage: 'test <address>',
    summary: 'send a test mail at once and report what the mail server answers',
    examples: ['mail test operator@example.com', 'mail test operator@example.com --language ar --json'],
    options: (command) =>
      command.addOption(new Option('--language <language>', 'language of the mail').choices(consoleLanguages)),
    action: async ({ server, print }, { language }, email) => {
      const sent = await server.call(sendTestMail, { email, ...(language && { language }) })
      print(sent, () => `The mail server accepted a mail to ${plain(email)}.`)
    },
  })
}

function describe({ server, from, waiting, lastSent, problems }: ResultOf<typeof getMail>, style: Style, now: number) {
  if (server === null) return 'Mail is not configured. Set SOUK_SMTP_URL and SOUK_MAIL_FROM, and restart the server.'
  const facts = fields(
    [
      ['server', plain(server)],
      ['from', plain(from ?? '–')],
      ['waiting', String(waiting)],
      ['last sent', lastSent === null ? '–' : formatRelative(lastSent, now)],
    ],
    style,
  )
  if (problems.length === 0) return facts
  const rows = problems.map((it) => [
    it.kind,
    plain(it.recipient),
    it.state === 'failed' ? style('red', 'failed') : style('yellow', 'waiting'),
    String(it.attempts),
    formatRelative(it.ctime, now),
    plain(it.error ?? '–'),
  ])
  return [facts, '', table(['MAIL', 'RECIPIENT', 'STATE', 'ATTEMPTS', 'CREATED', 'ERROR'], rows, style)].join('\n')
}

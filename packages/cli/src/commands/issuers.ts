import { consoleOperations, defaultClaims, type TokenAlgorithm, tokenAlgorithms } from '@souk/contract'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { formatRelative } from '../duration.ts'
import { Failure } from '../failure.ts'
import { plain, table } from '../render.ts'
import type { AddCommand } from '../session.ts'
import { addClientOptions, type ClientOptions, readClient } from './clientOptions.ts'

const { listIssuers, addIssuer, removeIssuer, enableSignIn, disableSignIn } = consoleOperations

type Claims = Partial<Record<keyof typeof defaultClaims, string>>

interface AddOptions {
  issuer: string
  audience: string
  jwks?: string
  pem?: string
  algorithm?: TokenAlgorithm[]
  claim?: Claims
  clockTolerance?: number
}

/** `souk issuers …`: issuers whose tokens sign users in to the host. */
export function addIssuerCommands(program: Command, add: AddCommand): void {
  const issuers = program.command('issuers')
  addAddCommand(issuers, add)
  addListCommand(issuers, add)
  addRemoveCommand(issuers, add)
  addSignInCommands(issuers, add)
}

function addAddCommand(issuers: Command, add: AddCommand): void {
  add<[], AddOptions>(issuers, {
    usage: 'add',
    summary: 'trust an issuer; its keys come from discovery, --jwks or --pem',
    examples: [
      'issuers add --issuer https://id.example --audience souk',
      'issuers add --issuer backend --audience souk --pem public-key.pem --claim subject=employee_id',
    ],
    options: (command) =>
      command
        .requiredOption('--issuer <url>', 'the claim iss of its tokens')
        .requiredOption('--audience <aud>', 'the claim aud of tokens for this installation')
        .addOption(new Option('--jwks <url>', 'address of its keys').conflicts('pem'))
        .option('--pem <file>', 'its public key or certificate')
        .addOption(new Option('--algorithm <names...>', 'accepted algorithms; all by default').choices(tokenAlgorithms))
        .option(
          '--claim <property=claim>',
          `claim of a property (${Object.keys(defaultClaims).join(', ')}); can be repeated`,
          collectClaim,
        )
        .option('--clock-tolerance <seconds>', 'how much the clocks may differ, 60 by default', Number),
    action: async ({ server, print, environment }, options) => {
      const { issuer, audience, jwks, algorithm, claim, clockTolerance } = options
      const pem = options.pem === undefined ? undefined : await environment.readFile(options.pem)
      // Souk would read the keys from the address of the issuer instead.
      if (pem?.trim() === '') throw new Failure(2, `${options.pem} is empty.`)
      const added = await server.call(addIssuer, {
        issuer,
        audience,
        ...(jwks === undefined ? {} : { jwksUrl: jwks }),
        ...(pem === undefined ? {} : { pem }),
        ...(algorithm === undefined ? {} : { algorithms: algorithm }),
        ...(claim === undefined ? {} : { claims: claim }),
        ...(clockTolerance === undefined ? {} : { clockTolerance }),
      })
      print(added, (it) => `Trusted ${plain(it.issuer)} for the audience ${plain(it.audience)}: ${it.issuerId}`)
    },
  })
}

function addListCommand(issuers: Command, add: AddCommand): void {
  add(issuers, {
    usage: 'list',
    summary: 'list trusted issuers',
    examples: ['issuers list', 'issuers list --json'],
    action: async ({ server, style, print, environment }) => {
      print(await server.call(listIssuers, {}), (found) =>
        found.length === 0
          ? 'No issuers yet. Add one with souk issuers add.'
          : table(
              ['ID', 'ISSUER', 'AUDIENCE', 'KEYS', 'ALGORITHMS', 'SIGN-IN', 'ADDED'],
              found.map((it) => [
                it.issuerId,
                plain(it.issuer),
                plain(it.audience),
                it.pem === null ? plain(it.jwksUrl ?? 'discovery') : 'PEM',
                it.algorithms.join(', '),
                it.signIn ? plain(it.signIn.clientId) : 'off',
                formatRelative(it.ctime, environment.now()),
              ]),
              style,
            ),
      )
    },
  })
}

function addRemoveCommand(issuers: Command, add: AddCommand): void {
  add<[string]>(issuers, {
    usage: 'remove <issuerId>',
    summary: 'stop trusting an issuer, and end the sessions that its tokens started',
    examples: ['issuers remove 0123456789abcdef0123456789abcdef'],
    action: async ({ server, print }, _, issuerId) => {
      print(await server.call(removeIssuer, { issuerId }), () => `Removed ${issuerId}. Its sessions have ended.`)
    },
  })
}

function addSignInCommands(issuers: Command, add: AddCommand): void {
  add<[string], ClientOptions & { name: string }>(issuers, {
    usage: 'enable-sign-in <issuerId>',
    summary: 'let users sign in to the host application at an issuer (OpenID Connect)',
    examples: [
      'issuers enable-sign-in 0123456789abcdef0123456789abcdef --name Example --client-id souk --client-secret-file -',
    ],
    options: (command) => addClientOptions(command.requiredOption('--name <name>', 'name on the sign-in button')),
    action: async (session, options, issuerId) => {
      const client = await readClient(session, options)
      const changed = await session.server.call(enableSignIn, { issuerId, name: options.name, ...client })
      session.print(changed, ({ issuer, signIn }) =>
        [
          `Users can sign in at ${plain(issuer)}. Register these addresses there:`,
          `  redirect URL                ${signIn?.redirectUrl}`,
          `  redirect URL after sign-out ${signIn?.signOutRedirectUrl}`,
          `  back-channel logout URL     ${signIn?.backChannelLogoutUrl}`,
        ].join('\n'),
      )
    },
  })

  add<[string]>(issuers, {
    usage: 'disable-sign-in <issuerId>',
    summary: 'stop letting users sign in to the host application at an issuer; their sessions continue',
    examples: ['issuers disable-sign-in 0123456789abcdef0123456789abcdef'],
    action: async ({ server, print }, _, issuerId) => {
      print(await server.call(disableSignIn, { issuerId }), (it) => `Users cannot sign in at ${plain(it.issuer)}.`)
    },
  })
}

function collectClaim(text: string, claims: Claims = {}): Claims {
  const [, property = '', claim = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  if (!Object.hasOwn(defaultClaims, property) || claim === '') {
    throw new InvalidArgumentError(`Write property=claim, with one of ${Object.keys(defaultClaims).join(', ')}.`)
  }
  return { ...claims, [property]: claim }
}

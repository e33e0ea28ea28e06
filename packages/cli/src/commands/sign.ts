import {
  addParameter,
  type Diagnosis,
  diagnose,
  encodeForm,
  findAmbiguity,
  joinParameters,
  maskedCanonicalString,
  maskSecrets,
  ParameterFault,
  parseForm,
  signParameters,
} from '@souk/contract'
import type { Command } from 'commander'
import { Failure } from '../failure.ts'
import { plain } from '../render.ts'
import type { AddCommand, Session } from '../session.ts'

interface SignOptions {
  secretStdin?: true
  secretFile?: string
  secret?: string
  param?: string[]
  form?: string
  url?: string
  check?: string
}

/** `souk sign`: signs a request, or checks a sign, without a server (open-api §4.1). */
export function addSignCommand(program: Command, add: AddCommand): void {
  add<[], SignOptions>(program, {
    usage: 'sign',
    examples: [
      'sign --secret-file secret.txt --param appid=demoapp00000001 --param timestamp=1700000000000 --param code=abc',
      'sign --secret-stdin --form "appid=demoapp00000001&code=abc&timestamp=1700000000000" < secret.txt',
      'sign --secret-file secret.txt --url "http://localhost:7070/…?appid=…&sign=…"',
      'sign --secret-file secret.txt --form "appid=…" --check 964bd409…',
    ],
    options: (command) =>
      command
        .option('--secret-stdin', 'read the app secret from the standard input')
        .option('--secret-file <file>', 'read the app secret from a file')
        .option('--secret <secret>', 'app secret; visible to other users of this machine in the process list')
        .option('--param <name=value>', 'parameter with its unencoded value; repeatable', collect)
        .option('--form <text>', 'parameters as an encoded form body')
        .option('--url <url>', 'parameters in the query string of a URL')
        .option('--check <sign>', 'check this sign instead of the parameter sign'),
    action: async (session, options) => {
      const secret = await readSecret(session, options)
      const { parameters, rawText } = readParameters(options)
      const own = parameters.get('sign')
      if (own !== undefined && options.check !== undefined && own !== options.check) {
        throw new Failure(2, 'The parameter sign differs from --check.', 'Omit one of them.')
      }
      const received = options.check ?? own
      const canonicalString = maskedCanonicalString(parameters, { secrets: [secret] })
      const sign = signParameters(parameters, secret)
      if (received === undefined) {
        const form = maskSecrets(encodeForm([...sent(parameters), ['sign', sign]]), [secret])
        return printSign(session, parameters, canonicalString, sign, form)
      }
      // Diagnose a matching sign too: the server refuses a correctly signed timestamp in seconds.
      const request = { parameters, sign: received, ...(rawText ? { rawText } : {}) }
      return printCheck(session, canonicalString, received === sign, diagnose(request, { active: [secret] }))
    },
  })
}

function printSign(
  { print, style, environment }: Session,
  parameters: Map<string, string>,
  canonicalString: string,
  sign: string,
  form: string,
): 0 {
  for (const name of ['appid', 'timestamp']) {
    if (!parameters.has(name)) environment.err(`note: ${name} is missing, which every signed request requires.\n`)
  }
  const ambiguity = findAmbiguity(parameters)
  if (ambiguity) environment.err(`note: the server refuses this request. ${ambiguity.reason}\n`)
  const timestamp = parameters.get('timestamp')
  if (timestamp !== undefined && !/^[1-9]\d{12}$/.test(timestamp)) {
    const inSeconds = /^\d{9,10}$/.test(timestamp) ? ' is in seconds, and' : ''
    environment.err(`note: the timestamp${inSeconds} will be refused; send milliseconds since 1970, 13 digits.\n`)
  }
  print({ canonicalString, sign }, () =>
    [
      style('dim', 'canonical string with the secret masked'),
      plain(canonicalString),
      style('dim', 'sign'),
      sign,
      style('dim', 'form-encoded request'),
      form,
    ].join('\n'),
  )
  return 0
}

function printCheck(
  { print, style }: Session,
  canonicalString: string,
  match: boolean,
  mistakes: readonly Diagnosis[],
): 0 | 1 {
  print({ match, canonicalString, mistakes }, () => {
    const verdict = match ? style('green', 'The sign matches.') : style('red', 'The sign does not match.')
    const reasons = mistakes.map(({ mistake, explanation }) => `  ${style('bold', mistake)}: ${plain(explanation)}`)
    if (!match && reasons.length === 0) {
      reasons.push(
        '  No known mistake yields this sign. Most likely the secret is different, or a value was changed after signing.',
      )
    }
    return [verdict, ...reasons, style('dim', 'canonical string with the secret masked'), plain(canonicalString)].join(
      '\n',
    )
  })
  return match ? 0 : 1
}

/** Returns the parameters to send; the secret is not part of a request. */
function sent(parameters: ReadonlyMap<string, string>): [string, string][] {
  return [...parameters].filter(([name]) => name !== 'secret')
}

async function readSecret({ environment }: Session, options: SignOptions): Promise<string> {
  const { secretStdin, secretFile, secret } = options
  if ([secretStdin, secretFile, secret].filter((given) => given !== undefined).length !== 1) {
    throw new Failure(
      2,
      'Exactly one source of the secret is required.',
      'Use one of --secret-stdin, --secret-file FILE and --secret SECRET.',
    )
  }
  if (secret !== undefined) {
    environment.err('warning: --secret is visible to other users of this machine in the process list.\n')
  }
  const read = secretStdin
    ? await environment.readStdin()
    : secretFile
      ? await environment.readFile(secretFile)
      : (secret ?? '')
  const text = read.replace(/\r?\n$/, '')
  const trimmed = text.replace(/^\uFEFF/, '').trim()
  if (trimmed === '') throw new Failure(2, 'The secret is empty.')
  if (trimmed !== text) {
    environment.err(
      'note: surrounding white space of the secret was removed. Make sure that your backend removes it too.\n',
    )
  }
  return trimmed
}

function readParameters({ param = [], form, url }: SignOptions): { parameters: Map<string, string>; rawText?: string } {
  const query = url === undefined ? undefined : /^[^?#]*\?([^#]*)/.exec(url)?.[1]
  if (url !== undefined && query === undefined) throw new Failure(2, 'The URL of --url has no query string.')
  try {
    const utf8 = new TextEncoder()
    const parameters = new Map(joinParameters(parseForm(utf8.encode(query ?? '')), parseForm(utf8.encode(form ?? ''))))
    for (const pair of param) {
      const equals = pair.indexOf('=')
      if (equals < 1) throw new Failure(2, `--param requires name=value, not ${JSON.stringify(pair)}.`)
      addParameter(parameters, pair.slice(0, equals), pair.slice(equals + 1))
    }
    if (parameters.size === 0) throw new Failure(2, 'No parameters.', 'Pass parameters with --param, --form or --url.')
    const rawText = form ?? query
    return { parameters, ...(rawText === undefined ? {} : { rawText }) }
  } catch (error) {
    if (error instanceof ParameterFault) throw new Failure(2, `The parameters cannot be parsed: ${error.reason}.`)
    throw error
  }
}

function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value]
}

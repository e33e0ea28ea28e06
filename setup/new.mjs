// npm run new: writes the stubs of a recipe in ARCHITECTURE.md.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { filesOf } from './providers.mjs'

const usage = `usage: npm run new -- operation <surface>/<subject> <wing>/<domain> <id>
       npm run new -- page <name>
       npm run new -- provider <name>`

/** Refuses the arguments. */
class Refusal extends Error {}
const refuse = (sentence) => {
  throw new Refusal(sentence)
}

const recipes = { operation: newOperation, page: newPage, provider: newProvider }
const [kind, ...args] = process.argv.slice(2)
try {
  if (!Object.hasOwn(recipes, kind ?? '') || args.length !== recipes[kind].length) refuse(usage)
  const { files, next } = recipes[kind](...args)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    console.log(`wrote ${path}`)
  }
  execFileSync('node_modules/.bin/biome', ['check', '--write', '--log-level=error', ...Object.keys(files)])
  console.log(next)
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(error.message)
  process.exitCode = 2
}

/** `subject` is a file of the contract such as console/apps, `domain` a folder such as miniApps/apps. */
function newOperation(subject, domain, id) {
  const surfaces = {
    open: {
      caller: 'AppCaller',
      declaration: `surface: 'open',\n    auth: 'sign',\n    path: '/neuopenapi/${kebab(id)}',\n    parameters: Type.Object({ ...signed }),`,
    },
    platform: {
      caller: 'ConsoleCaller',
      declaration: `surface: 'platform',\n    auth: 'apiKey',\n    path: '/api/v1/projects/{projectId}/${kebab(id)}',\n    access: { action: 'dataset.read', by: 'projectId' },\n    parameters: Type.Object({ projectId: ProjectId }),`,
    },
    host: {
      caller: 'HostUserCaller',
      declaration: `...host,\n    path: '/host/v1/${kebab(id)}',\n    parameters: Type.Object({}),`,
    },
    console: {
      caller: 'ConsoleCaller',
      declaration: `...console,\n    path: '/console/v1/projects/{projectId}/${kebab(id)}',\n    access: { action: 'project.read', by: 'projectId' },\n    parameters: Type.Object({ projectId: ProjectId }),`,
    },
  }
  const surface = subject.split('/')[0]
  if (!Object.hasOwn(surfaces, surface)) {
    refuse(`${surface} is not a surface. Surfaces are ${Object.keys(surfaces).join(', ')}.`)
  }
  checkName(id, 'the id of an operation')
  const contract = 'packages/contract/src'
  const declaredIn = `${contract}/${subject}.ts`
  const group = /^export const \w+Operations = \{$/m
  const subjects = globSync(`${contract}/${surface}/*.ts`, { exclude: ['**/index.ts'] }).filter((path) =>
    group.test(readFileSync(path, 'utf8')),
  )
  if (!subjects.includes(declaredIn)) {
    const known = subjects.map((path) => `${surface}/${basename(path, '.ts')}`).sort()
    refuse(`${declaredIn} declares no operations. Use one of ${known.join(', ')}.`)
  }
  const folder = `apps/server/src/domain/${domain}`
  if (!/^\w+\/\w+$/.test(domain) || !existsSync(`${folder}/index.ts`)) {
    refuse(`${folder} is not a domain. Use a folder with an index.ts, such as miniApps/apps.`)
  }
  const declared = globSync(`${contract}/*/*.ts`).find((path) => readFileSync(path, 'utf8').includes(`id: '${id}'`))
  if (declared) refuse(`${declared} already has an operation ${id}.`)
  if (existsSync(`${folder}/${id}.ts`)) refuse(`${folder}/${id}.ts already exists.`)

  const { caller, declaration } = surfaces[surface]
  const clientTypes =
    surface === 'open' || surface === 'platform'
      ? `\n    clientTypes: { result: { name: '${pascal(id)}', description: 'TODO.' } },`
      : ''
  const operations = `${surface}Operations`
  return {
    files: {
      [declaredIn]: insert(
        declaredIn,
        group,
        `
  ${id}: operation({
    id: '${id}',
    method: 'GET',
    summary: '${words(id)}',
    ${declaration}
    result: Type.Object({ count: Type.Integer() }),${clientTypes}
    errors: [],
    redact: [],
  }),`,
      ),
      [`${folder}/${id}.ts`]: `import type { ${operations}, ParametersOf, ResultOf } from '@souk/contract'
import type { ${caller} } from '../../caller.ts'
import type { Context } from '../../context.ts'

type Operation = typeof ${operations}.${id}

/** TODO */
export async function ${id}(
  _context: Context,
  _caller: ${caller},
  _input: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  return { count: 0 }
}
`,
      [`${folder}/${id}.test.ts`]: `import { afterAll, beforeAll, expect, test } from 'vitest'
import { identityContext } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { ${id} } from './${id}.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('${id} counts', async () => {
  expect(await ${id}(identityContext(database.sql), {} as never, {} as never)).toEqual({ count: 0 })
})
`,
      [`${folder}/index.ts`]: `export { ${id} } from './${id}.ts'\n${readFileSync(`${folder}/index.ts`, 'utf8')}`,
    },
    next: 'Replace the stubs, then run npm run generate and npm run check.',
  }
}

/** A page of a project in the console. */
function newPage(name) {
  const pages = 'apps/console/src/pages'
  checkName(name, 'the name of a page')
  if (existsSync(`${pages}/${name}`)) refuse(`${pages}/${name} already exists.`)
  const component = `${pascal(name)}Page`
  const locales = ['en', 'zh-CN', 'ar']
  const common = (locale) => `apps/console/src/i18n/locales/${locale}.ts`
  const navigation = 'apps/console/src/navigation.ts'
  const icon = 'mdiFileOutline'
  const entry = insert(
    navigation,
    /route: 'audit'.*/,
    `\n    { route: '${name}', icon: ${icon}, needs: 'project.read' },`,
  )
  return {
    files: {
      [`${pages}/${name}/${component}.vue`]: `<script setup lang="ts">
import { useTexts } from '../../i18n/index.ts'
import PageHeader from '../../ui/PageHeader.vue'
import type en from './locales/en.ts'

defineProps<{ projectId: string }>()

const t = useTexts<typeof en>('${name}')
</script>

<template>
  <PageHeader :title="t('title')" :lead="t('lead')" />
</template>
`,
      ...Object.fromEntries(
        locales.map((locale) => [
          `${pages}/${name}/locales/${locale}.ts`,
          `export default {\n  title: '${words(name)}',\n  lead: 'TODO',\n}\n`,
        ]),
      ),
      'apps/console/src/router.ts': insert(
        'apps/console/src/router.ts',
        /page\('audit'.*/,
        `\n          page('${name}', '${kebab(name)}', () => import('./pages/${name}/${component}.vue')),`,
      ),
      [navigation]: entry.includes(`  ${icon},`) ? entry : entry.replace('  mdiFlagOutline,', `  ${icon},\n$&`),
      ...Object.fromEntries(
        locales.map((locale) => [
          common(locale),
          insert(common(locale), /nav: \{/, `\n    ${name}: '${words(name)}',`),
        ]),
      ),
      'e2e/look.test.ts': insert(
        'e2e/look.test.ts',
        /audit: .*/,
        `\n  '${kebab(name)}': \`\${project}/${kebab(name)}\`,`,
      ),
    },
    next: 'Choose an icon and a permission in navigation.ts, translate the texts, then run npm run check, and npm test -- apps/console e2e/look.test.ts.',
  }
}

/** An external payment provider. */
function newProvider(name) {
  if (!/^[a-z][a-z0-9]*$/.test(name))
    refuse(`"${name}" is not the name of a provider: use lowercase letters and digits.`)
  const paths = Object.keys(filesOf(name))
  const existing = [...paths, ...paths.map(dirname).filter((folder) => basename(folder) === name)].find(existsSync)
  if (existing || name === 'sandbox') refuse(`The provider ${name} already exists.`)
  const [description, adapter, declines, guide, expected, fake] = paths
  const registry = `${dirname(dirname(adapter))}/registry.ts`
  const className = `${pascal(name)}Provider`
  const title = pascal(name)
  return {
    files: {
      [description]: `import type { ProviderDescription } from '@souk/contract'

export const description = {
  title: '${title}',
  payType: 'cardProcessorA',
  docs: 'https://${name}.example/docs',
  baseUrl: { default: 'https://api.${name}.example', description: 'TODO' },
  settings: {},
  secrets: { secretKey: { title: 'Secret key', description: 'TODO' } },
} satisfies ProviderDescription
`,
      [adapter]: `import { type PayType, payType } from '@souk/contract'
import type {
  Connection,
  PaymentOrder,
  PaymentProvider,
  PaymentReference,
  ProviderEvent,
  ProviderResult,
  RefundOrder,
  RefundResult,
} from '../port.ts'
import { asObject, sendRequest, unexpectedResponse } from '../request.ts'
import { parseSignedBody } from '../signedWebhook.ts'

/** TODO: replace this with ${title}'s protocol. */
export class ${className} implements PaymentProvider {
  readonly name = '${name}'
  readonly #connection: Connection<'${name}'>

  constructor(connection: Connection<'${name}'>) {
    this.#connection = connection
  }

  payTypeOf(): PayType {
    return payType.cardProcessorA
  }

  async create({ attemptId, amount, currency, returnUrl }: PaymentOrder): Promise<ProviderResult> {
    const { id, url } = await this.#send('/payments', { reference: attemptId, amount, currency, returnUrl })
    return { kind: 'redirect', payNo: String(id), url: String(url) }
  }

  async query({ attemptId }: PaymentReference): Promise<ProviderResult> {
    const { state } = await this.#send('/query', { reference: attemptId })
    throw unexpectedResponse('${title}', \`the state \${state}\`)
  }

  async cancel({ attemptId }: PaymentReference): Promise<ProviderResult> {
    const { state } = await this.#send('/cancel', { reference: attemptId })
    throw unexpectedResponse('${title}', \`the state \${state}\`)
  }

  async refund({ attemptId }: PaymentReference, { refundNo, amount }: RefundOrder): Promise<RefundResult> {
    const { state } = await this.#send('/refunds', { reference: attemptId, refundNo, amount })
    throw unexpectedResponse('${title}', \`the state \${state}\`)
  }

  async webhook(rawBody: Uint8Array, headers: Readonly<Record<string, string>>): Promise<ProviderEvent | null> {
    const { reference } = parseSignedBody(rawBody, headers.signature, this.#connection.secrets.secretKey)
    const attemptId = String(reference)
    return { attemptId, result: await this.query({ attemptId, payNo: null }) }
  }

  async #send(path: string, body: object): Promise<Record<string, unknown>> {
    const { egress, settings, secrets } = this.#connection
    const { body: answer } = await sendRequest(egress, {
      provider: this.name,
      method: 'POST',
      url: settings.baseUrl + path,
      body,
      headers: { authorization: secrets.secretKey },
    })
    return asObject(answer)
  }
}
`,
      [declines]: `import type { Declines } from '../declines.ts'

/** Any decline that is not in the table. */
export const declined = 27

/** Codes of ${title} with a specific failReasonType. */
export const declines: Declines = {}
`,
      [guide]: 'TODO: the keys that an account needs, where to find them, and how to set up its webhooks.\n',
      [expected]: `import { day } from '@souk/contract'
import type { Expected } from '../expected.ts'
import { declined } from './declines.ts'

export const expected: Expected = {
  behavior: {
    whenUnpaid: 'expired',
    whenChallengeFails: declined,
    payableAfterCancel: true,
    reportsRefunds: true,
    listsPayments: false,
  },
  rejectedOrder: { order: { currency: 'riyal' as 'SAR' }, reason: declined },
  declined: (pay) => [{ title: 'a card', reason: declined, apply: pay('declined') }],
  lifetime: day,
  alterations: {},
  refundAlterations: {},
  queryRequest: 'POST /query',
  absences: [],
  reportsFailedRefunds: false,
  declineReason: declined,
  statusAfterLeaving: 1,
}
`,
      [fake]: `import { type FakeAccount, type Protocol, startFakeProvider } from './fakeProvider.ts'

const protocol: Protocol = {
  title: '${title}',
  pageBehavior: { staysOpenAfterDecline: false, staysOpenAfterLeaving: true },
  returnsByPost: false,
  routes: () => [],
  webhooksFor: () => [],
}

export const account: FakeAccount = {
  settings: {},
  secrets: { secretKey: '${name}-local-key' },
  start: (options = {}) => startFakeProvider(protocol, options),
}
`,
      [registry]: `${readFileSync(registry, 'utf8')}export { ${className} as ${name} } from './${name}/${name}.ts'\n`,
    },
    next: `Replace the stubs, then run npm run generate, npm run check, and npm test -- ${dirname(registry)}/adapters.test.ts.`,
  }
}

function checkName(name, what) {
  if (!/^[a-z][a-zA-Z0-9]*$/.test(name)) refuse(`"${name}" is not ${what}: use letters and digits, as in countOrders.`)
}

/** Returns the text of a file with `added` after what the pattern matches. */
function insert(path, pattern, added) {
  const text = readFileSync(path, 'utf8')
  if (!pattern.test(text)) throw new Error(`${path} does not contain ${pattern}`)
  return text.replace(pattern, (found) => found + added)
}

/** Splits countOrders into count and orders. */
function split(name) {
  return name.split(/(?=[A-Z])/).map((word) => word.toLowerCase())
}
function kebab(name) {
  return split(name).join('-')
}
function pascal(name) {
  return name[0].toUpperCase() + name.slice(1)
}
function words(name) {
  return pascal(split(name).join(' '))
}

// The import law of ARCHITECTURE.md: which folder may import from which. A path says what the code may do.
import { globSync, readFileSync } from 'node:fs'
import { dirname, normalize } from 'node:path'
import { parse as parseVue } from '@vue/compiler-sfc'
import { parseSync } from 'vite'

const contract = 'packages/contract/src'
const server = 'apps/server/src'
const design = 'packages/design/src'
const web = 'packages/web/src'
const webConsole = 'apps/console/src'
const webHost = 'apps/host/src'
const runtime = 'packages/runtime/src'
const tags = 'packages/tags/src'
const builds = 'packages/vite-plugin/src'
const [kernel, domain, surfaces] = ['kernel', 'domain', 'surfaces'].map((layer) => `${server}/${layer}`)

/**
 * The folders that each folder may import from besides itself, and the packages: all of them, or those listed. The
 * most specific folder that contains a file applies. Tests are exempt.
 */
const law = {
  [contract]: { folders: [], packages: ['typebox', '@noble/hashes'] },
  'packages/pages/src': { folders: [], packages: [] },
  'packages/sdk/src': { folders: [contract], packages: [] },
  'packages/conformance/src': { folders: [] },
  // Runs in the pages of others.
  'packages/host/src': { folders: [], packages: ['react', 'vue'] },
  [design]: { folders: [], packages: [] },
  [web]: { folders: [`${contract}/time`], packages: ['vue'] },
  // Signs requests in the browser.
  [`${web}/operations`]: { folders: [contract], packages: [] },
  // Browsers never get code of the server or of the SDK, which holds secrets.
  // The console previews pages.json with the host's drawing code.
  // It also shows the inspector of a mini app on a phone.
  [webConsole]: {
    folders: [
      ...[contract, design, web, 'packages/pages/src'],
      ...['shell', 'host', 'inspector'].map((folder) => `${runtime}/${folder}`),
    ],
  },
  [webHost]: { folders: [contract, design, web, runtime] },
  'packages/project/src': { folders: ['packages/pages/src'] },
  'packages/language-server/src': { folders: ['packages/pages/src', 'packages/project/src'] },
  [tags]: { folders: [], packages: ['vue', 'squire-rte', 'leaflet'] },
  [runtime]: { folders: [contract, 'packages/pages/src', tags], packages: ['vue', 'qr'] },
  [builds]: { folders: ['packages/pages/src', 'packages/project/src', runtime, tags] },
  // Runs in the page, so it may not import what runs in Node.
  [`${builds}/client`]: { folders: ['packages/pages/src', runtime], packages: ['vue', 'virtual:souk-diagnostics'] },
  'packages/create-miniapp/src': { folders: [] },
  // Like real providers, these know nothing about Souk.
  'packages/fake-providers/src': { folders: [] },
  'packages/cli/src': {
    folders: [
      contract,
      'packages/sdk/src',
      'packages/conformance/src',
      'packages/pages/src',
      'packages/fake-providers/src',
      'packages/project/src',
      builds,
    ],
  },
  [kernel]: { folders: [contract] },
  [`${server}/worker`]: { folders: [contract, kernel] },
  [`${server}/delivery`]: { folders: [contract, kernel] },
  [domain]: { folders: [contract, kernel] },
  // Suggests names for misspelled fields.
  [`${domain}/miniApps/datasets`]: { folders: [contract, kernel, domain, 'packages/pages/src'] },
  [surfaces]: { folders: [contract, kernel, domain] },
  // Serves the JSON Schema of pages.json.
  [`${surfaces}/ops`]: { folders: [contract, kernel, domain, 'packages/pages/src'] },
  // Suggests names for misspelled settings.
  [server]: { folders: [contract, 'packages/sdk/src', 'packages/pages/src'] },
}

/** Folders of domains that belong together. */
const wings = ['operations', 'money', 'miniApps', 'console', 'users', 'messages', 'installation']

/** Each of these may import `onApps`. */
const middle = ['oauth', 'datasets', 'files', 'releases']
const onApps = ['apps', 'projects', 'identity', 'audit']
/** Domains whose recipients depend on the releases of a mini app. */
const messages = ['notifications', 'activities']
/** The domains that each domain may import, through their index.ts. */
export const below = {
  lists: [],
  identity: ['audit'],
  audit: [],
  outbound: [],
  monitoring: ['callbacks', 'events', 'outbound'],
  oidc: [],
  issuers: ['oidc', 'identity', 'audit'],
  backups: ['audit'],
  moves: ['backups', 'audit'],
  storage: ['audit'],
  events: ['outbound', 'mail', 'audit'],
  analytics: ['releases', 'blocks', 'audit'],
  alerts: ['apps', 'events', 'mail', 'audit'],
  feedback: ['apps', 'projects', 'events', 'mail', 'audit'],
  inspections: ['apps', 'audit'],
  archives: ['audit'],
  signOn: ['oidc', 'keys', 'projects', 'accounts', 'audit'],
  doctor: ['mail', 'issuers', 'signOn', 'backups', 'events', 'keyRing', 'storage'],
  platformSettings: ['audit'],
  hostUsers: ['events', 'identity', 'blocks', 'audit'],
  mail: ['audit'],
  accounts: ['mail', 'audit'],
  projects: ['mail', 'accounts', 'audit'],
  adminToken: ['audit'],
  keyRing: ['audit'],
  keys: ['mail', 'projects', 'accounts', 'audit'],
  serviceAccounts: ['projects', 'audit'],
  blocks: ['mail', 'projects', 'audit'],
  approvals: ['blocks', 'mail', 'projects', 'audit'],
  apps: ['approvals', 'blocks', 'projects', 'identity', 'audit'],
  ...Object.fromEntries(middle.map((name) => [name, onApps])),
  files: ['storage', ...onApps],
  releases: ['files', 'storage', 'mail', 'events', 'platformSettings', 'approvals', 'blocks', 'accounts', ...onApps],
  callbacks: ['outbound', 'events', 'mail', 'archives', ...onApps],
  trades: ['callbacks', 'events', 'archives', ...onApps],
  payments: ['trades', 'blocks', ...onApps],
  ledger: ['payments', 'trades', ...onApps],
  timeline: ['ledger', 'payments', 'callbacks', 'trades', 'apps', 'identity', 'requestLog'],
  ...Object.fromEntries(
    messages.map((name) => [name, ['releases', 'events', 'apps', 'projects', 'identity', 'audit']]),
  ),
  requestLog: onApps,
  search: ['apps', 'callbacks', 'projects', 'requestLog', 'trades', 'hostUsers'],
  administration: [
    ...[
      'analytics',
      'payments',
      'hostUsers',
      'mail',
      'releases',
      'apps',
      'approvals',
      'blocks',
      'projects',
      'accounts',
    ],
    'audit',
  ],
  clock: ['ledger', 'payments', 'callbacks', 'events', 'trades', ...middle, ...messages, 'apps', 'identity', 'audit'],
}

/**
 * Only kernel/egress opens outbound connections, apart from those to the operator's database, mail server and object
 * storage, and only `senders` use it.
 */
const network = /^(undici|nodemailer|node:(http|https|http2|net|tls|dgram))$/
const openers = [
  `${kernel}/egress`,
  `${kernel}/mail.ts`,
  `${kernel}/objectStorage.ts`,
  `${kernel}/db/embedded.ts`,
  `${kernel}/db/socket.ts`,
  `${kernel}/db/connection.ts`,
]
const senders = [
  `${server}/delivery/`,
  `${domain}/money/payments/adapters/`,
  `${domain}/users/oidc/`,
  `${kernel}/egress`,
  `${server}/main.ts`,
]

/**
 * Returns a message for each violation of the law.
 *
 * @param {ReadonlyMap<string, string>} sources contents by path from the root of the repository
 */
export function findViolations(sources) {
  const violations = []
  const imports = new Map()
  for (const [file, content] of sources) {
    const { found, errors } = parseImports(file, content)
    imports.set(file, found)
    violations.push(...errors, ...found.flatMap((each) => judge(file, each)))
  }
  return [...violations, ...findCycles(imports)]
}

/** Returns the imports of a file, and messages for what cannot be parsed. */
function parseImports(file, content) {
  const parsed = scriptsOf(file, content).map((script) => parseScript(file, script))
  return { found: parsed.flatMap(({ found }) => found), errors: parsed.flatMap(({ errors }) => errors) }
}

/** Returns the scripts of a file. A Vue file can have two, and a script can be in another file. */
function scriptsOf(file, content) {
  if (!file.endsWith('.vue')) return [content]
  const { script, scriptSetup } = parseVue(content, { sourceMap: false }).descriptor
  return [script, scriptSetup].filter(Boolean).map(({ src, content }) => (src ? `import '${src}'` : content))
}

function parseScript(file, text) {
  const { module, errors } = parseSync(`${file}.ts`, text)
  const { staticImports, staticExports, dynamicImports } = module
  const found = [
    ...staticImports.map((it) => ({
      name: it.moduleRequest.value,
      typesOnly: it.entries.length > 0 && it.entries.every((entry) => entry.isType),
    })),
    ...staticExports
      .flatMap(({ entries }) => entries.filter((it) => it.moduleRequest))
      .map((it) => ({ name: it.moduleRequest.value, typesOnly: it.isType })),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => ({ name: text.slice(start + 1, end - 1) })),
  ]
  return { found, errors: errors.slice(0, 1).map(({ message }) => `${file}: ${message}`) }
}

function judge(file, { name, typesOnly = false }) {
  const home = Object.keys(law)
    .filter((folder) => file.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0]
  if (home === undefined) return [`${file}: setup/importLaw.mjs has no rule for this folder`]

  const violation = (why) => [`${file} imports ${name}: ${why}`]
  const target = resolveImport(file, name)
  if (target === undefined) {
    const { packages } = law[home]
    if (packages && !packages.includes(name.replace(/^((@[^/]+\/)?[^/]+).*/, '$1')))
      return violation(`${home} may not import this package`)
    const mayConnect = !file.startsWith(server) || typesOnly || openers.some((opener) => file.startsWith(opener))
    return !mayConnect && network.test(name) ? violation('only kernel/egress opens outbound connections') : []
  }

  // The composition root may import everything in the server.
  const folders = home === server ? [...law[home].folders, server] : [...law[home].folders, home]
  if (!folders.some((folder) => `${target}/`.startsWith(`${folder}/`)))
    return violation(`${home} may not import from there`)
  if (target.startsWith(`${kernel}/egress`) && !typesOnly && !senders.some((sender) => file.startsWith(sender))) {
    return violation('only callback delivery and payment providers send requests')
  }

  const [from, to] = [domainOf(file), domainOf(target)]
  if (to === undefined || from === to) return []
  if (!target.endsWith('/index.ts')) return violation(`import ${to} through its index.ts`)
  if (from !== undefined && !below[from]?.includes(to)) return violation(`${from} is not above ${to}`)
  return []
}

/** Finds files that import each other, even if they import types only. Reports the shortest cycle of each group. */
function findCycles(imports) {
  const reported = new Set()
  return [...imports.keys()].flatMap((start) => {
    const cycle = reported.has(start) ? undefined : shortestCycle(imports, start)
    for (const file of cycle ?? []) reported.add(file)
    return cycle ? [`${cycle.join(' imports ')} imports ${start}: imports must not form a cycle`] : []
  })
}

function shortestCycle(imports, start) {
  const paths = [[start]]
  const reached = new Set()
  for (const path of paths) {
    for (const { name } of imports.get(path.at(-1)) ?? []) {
      const target = resolveImport(path.at(-1), name)
      if (target === start) return path
      if (target === undefined || reached.has(target)) continue
      reached.add(target)
      paths.push([...path, target])
    }
  }
}

/** Returns the path of the imported file from the root, or undefined for an external package. */
function resolveImport(file, name) {
  if (name.startsWith('.')) return normalize(`${dirname(file)}/${name}`)
  const own = /^@souk\/([^/]+)(.*)/.exec(name)
  return own ? `packages/${own[1]}/src${own[2] || '/index.ts'}` : undefined
}

function domainOf(file) {
  const [wing, room] = new RegExp(`^${domain}/(?:([^/]+)/)(?:([^/]+)/)?`).exec(file)?.slice(1) ?? []
  return wings.includes(wing) ? room : wing
}

if (process.argv[1] === import.meta.filename) {
  const files = globSync('{packages,apps}/*/src/**/*.{ts,vue}').filter((file) => !/\.(test|bench)\.ts$/.test(file))
  const violations = findViolations(new Map(files.map((file) => [file, readFileSync(file, 'utf8')])))
  for (const violation of violations) console.log(violation)
  process.exitCode = violations.length > 0 ? 1 : 0
}

// The import law of ARCHITECTURE.md: which folder may import from which. A path says what the code may do.
import { globSync, readFileSync } from 'node:fs'
import { dirname, normalize } from 'node:path'
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
 * For each folder the folders it may import from besides itself, and the packages it may: all, or those listed. The longest
 * folder that holds a file decides. Tests may import what they like, within these folders.
 */
const law = {
  [contract]: { folders: [], packages: ['typebox', '@noble/hashes'] },
  'packages/pages/src': { folders: [], packages: [] },
  'packages/sdk/src': { folders: [contract], packages: [] },
  'packages/conformance/src': { folders: [] },
  [design]: { folders: [], packages: [] },
  [web]: { folders: [], packages: ['vue', 'vue-i18n'] },
  // The browser never sees the server, nor the SDK, which holds secrets.
  // The preview of pages.json is drawn as a host draws it.
  [webConsole]: { folders: [contract, design, web, 'packages/pages/src', `${runtime}/shell`, `${runtime}/host`] },
  [webHost]: { folders: [contract, design, web, runtime] },
  'packages/project/src': { folders: ['packages/pages/src'] },
  'packages/language-server/src': { folders: ['packages/pages/src', 'packages/project/src'] },
  [tags]: { folders: [], packages: ['vue'] },
  [runtime]: { folders: [contract, 'packages/pages/src', tags], packages: ['vue'] },
  [builds]: { folders: ['packages/pages/src', 'packages/project/src', runtime, tags] },
  // What runs in the page, and may not see what runs in Node.
  [`${builds}/client`]: { folders: ['packages/pages/src', runtime], packages: ['vue', 'virtual:souk-diagnostics'] },
  'packages/create-souk-miniapp/src': { folders: [] },
  // What a provider elsewhere knows: nothing of Souk.
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
  [surfaces]: { folders: [contract, kernel, domain] },
  [server]: { folders: [contract, 'packages/sdk/src'] },
}

/** The domains that each domain may call, by their index.ts. */
const middle = ['oauth', 'trades', 'datasets', 'files', 'releases']
/** Whom they reach depends on what is released. */
const messages = ['notifications', 'activities']
const below = {
  identity: ['audit'],
  audit: [],
  accounts: ['audit'],
  projects: ['accounts', 'audit'],
  keys: ['projects', 'accounts', 'audit'],
  apps: ['projects', 'identity', 'audit'],
  ...Object.fromEntries(middle.map((name) => [name, ['apps', 'projects', 'identity', 'audit']])),
  ...Object.fromEntries(messages.map((name) => [name, ['releases', 'apps', 'projects', 'identity', 'audit']])),
  sandbox: [...middle, ...messages, 'apps', 'identity', 'audit'],
}

/** Requests leave the server through kernel/egress alone, and only these folders send any. */
const network = /^(undici|node:(http|https|http2|net|tls|dgram))$/
const openers = [`${kernel}/egress`, `${kernel}/db/embedded.ts`, `${kernel}/db/socket.ts`, `${kernel}/db/connection.ts`]
const senders = [`${server}/delivery/`, `${domain}/trades/adapters/`, `${kernel}/egress`, `${server}/main.ts`]

const sources = globSync('{packages,apps}/*/src/**/*.{ts,vue}').filter((file) => !/\.(test|bench)\.ts$/.test(file))
const imports = new Map(sources.map((file) => [file, importsOf(file)]))
const breaches = [...[...imports].flatMap(([file, found]) => found.flatMap((one) => judge(file, one))), ...circles()]
for (const breach of breaches) console.log(breach)
process.exitCode = breaches.length > 0 ? 1 : 0

function importsOf(file) {
  const content = readFileSync(file, 'utf8')
  const text = file.endsWith('.vue') ? (/<script[^>]*>([\s\S]*?)<\/script>/.exec(content)?.[1] ?? '') : content
  const { staticImports, staticExports, dynamicImports } = parseSync(`${file}.ts`, text).module
  return [
    ...staticImports.map((it) => ({
      name: it.moduleRequest.value,
      onlyTypes: it.entries.length > 0 && it.entries.every((entry) => entry.isType),
    })),
    ...staticExports
      .flatMap(({ entries }) => entries.filter((it) => it.moduleRequest))
      .map((it) => ({
        name: it.moduleRequest.value,
        onlyTypes: it.isType,
      })),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => ({ name: text.slice(start + 1, end - 1) })),
  ]
}

function judge(file, { name, onlyTypes = false }) {
  const home = Object.keys(law)
    .filter((folder) => file.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0]
  if (home === undefined) return [`${file}: no rule of setup/importLaw.mjs covers this folder`]

  const breach = (why) => [`${file} imports ${name}: ${why}`]
  const target = pathOf(file, name)
  if (target === undefined) {
    const { packages } = law[home]
    if (packages && !packages.includes(name.replace(/^((@[^/]+\/)?[^/]+).*/, '$1')))
      return breach(`${home} must stay pure`)
    const mayOpen = !file.startsWith(server) || onlyTypes || openers.some((opener) => file.startsWith(opener))
    return !mayOpen && network.test(name) ? breach('requests leave through kernel/egress alone') : []
  }

  // The composition root stands above everything of the server.
  const folders = home === server ? [...law[home].folders, server] : [...law[home].folders, home]
  if (!folders.some((folder) => target.startsWith(`${folder}/`))) return breach(`${home} may not see it`)
  if (target.startsWith(`${kernel}/egress`) && !onlyTypes && !senders.some((sender) => file.startsWith(sender))) {
    return breach('only delivery and payment providers send requests')
  }

  const [from, to] = [domainOf(file), domainOf(target)]
  if (to === undefined || from === to) return []
  if (!target.endsWith('/index.ts')) return breach(`what ${to} offers others stands in its index.ts`)
  if (from !== undefined && !below[from]?.includes(to)) return breach(`${from} does not stand above ${to}`)
  return []
}

/** Files that import each other, be it types alone or when they are called: each circle by the shortest way round from one of its files. */
function circles() {
  const seen = new Set()
  return sources.flatMap((start) => {
    const way = seen.has(start) ? undefined : wayRound(start)
    for (const file of way ?? []) seen.add(file)
    return way ? [`${way.join(' imports ')} imports ${start}: arrows go one way`] : []
  })
}

function wayRound(start) {
  const ways = [[start]]
  const reached = new Set()
  for (const way of ways) {
    for (const { name } of imports.get(way.at(-1)) ?? []) {
      const target = pathOf(way.at(-1), name)
      if (target === start) return way
      if (target === undefined || reached.has(target)) continue
      reached.add(target)
      ways.push([...way, target])
    }
  }
}

/** The file that an import means, from the root; undefined for a package from elsewhere. */
function pathOf(file, name) {
  if (name.startsWith('.')) return normalize(`${dirname(file)}/${name}`)
  const own = /^@souk\/([^/]+)(.*)/.exec(name)
  return own ? `packages/${own[1]}/src${own[2] || '/index.ts'}` : undefined
}

function domainOf(file) {
  return new RegExp(`^${domain}/([^/]+)/`).exec(file)?.[1]
}

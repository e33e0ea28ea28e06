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
const shell = 'packages/shell/src'
const hostView = 'packages/host-view/src'
const runtime = 'packages/runtime/src'
const tags = 'packages/tags/src'
const builds = 'packages/vite-plugin/src'
const [kernel, domain, surfaces] = ['kernel', 'domain', 'surfaces'].map((layer) => `${server}/${layer}`)

/**
 * The folders that each folder may import from besides itself, and the packages: all of them, or those listed. The
 * most specific folder that contains a file applies. Tests are exempt, and what they expect of a payment provider.
 */
const law = {
  [contract]: { folders: [], packages: ['typebox', '@noble/hashes', '@cfworker/json-schema'] },
  'packages/pages/src': { folders: [], packages: [] },
  'packages/sdk/src': { folders: [contract], packages: ['@noble/hashes'] },
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
  [webConsole]: { folders: [contract, design, web, 'packages/pages/src', hostView, shell] },
  [webHost]: { folders: [contract, design, web, hostView, shell] },
  'packages/project/src': { folders: ['packages/pages/src'] },
  'packages/language-server/src': { folders: ['packages/pages/src', 'packages/project/src'] },
  [tags]: { folders: [], packages: ['vue', 'squire-rte', 'leaflet'] },
  [shell]: { folders: [contract, 'packages/pages/src', tags], packages: ['vue', 'qr'] },
  [hostView]: { folders: [contract, 'packages/pages/src', shell], packages: ['vue'] },
  [runtime]: { folders: [contract, 'packages/pages/src', shell, tags], packages: ['vue'] },
  [builds]: { folders: ['packages/pages/src', 'packages/project/src', runtime, shell, tags] },
  // Runs in the page, so it may not import what runs in Node.
  [`${builds}/client`]: {
    folders: ['packages/pages/src', hostView, runtime, shell],
    packages: ['vue', 'virtual:souk-diagnostics'],
  },
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
  // Draws its page for unknown addresses in the colors of the applications.
  [`${surfaces}/web`]: { folders: [contract, kernel, domain, surfaces, design] },
  // Suggests names for misspelled settings.
  [server]: { folders: [contract, 'packages/sdk/src', 'packages/pages/src'] },
}

/** Packages whose folders import each other in one direction; a file beside the folders counts as one. */
const layered = [runtime, shell, hostView, builds, webConsole]

/** Folders of which the code outside imports only index.ts. */
const closed = [`${builds}/uniCompat`]

/** The wings of the domain. Each may import those after it, through their index.ts. */
export const wings = ['operations', 'money', 'miniApps', 'console', 'users', 'messages', 'installation']

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
  const files = new Map([...imports].map(([file, found]) => [file, found.map(({ name }) => resolveImport(file, name))]))
  return [...violations, ...findCycles(files), ...findCycles(foldersOf(files))]
}

/**
 * Returns the imports between the wings of the domain, and between the domains of each, as a Mermaid flowchart.
 *
 * @param {ReadonlyMap<string, string>} sources as of `findViolations`
 */
export function drawDomains(sources) {
  const between = new Set()
  const inside = new Map(wings.map((wing) => [wing, { rooms: new Set(), arrows: new Set() }]))
  for (const [file, content] of sources) {
    const from = placeOf(file)
    if (from.room === undefined) continue
    const { rooms, arrows } = inside.get(from.wing)
    rooms.add(from.room)
    for (const { name } of parseImports(file, content).found) {
      const to = placeOf(resolveImport(file, name) ?? '')
      if (to.wing === undefined) continue
      if (to.wing !== from.wing) between.add(`  ${from.wing} --> ${to.wing}`)
      else if (to.room !== undefined && to.room !== from.room) arrows.add(`    ${from.room} --> ${to.room}`)
    }
  }
  const drawn = [...inside].flatMap(([wing, { rooms, arrows }]) => {
    const connected = new Set([...arrows].flatMap((arrow) => arrow.trim().split(' --> ')))
    const alone = [...rooms].filter((room) => !connected.has(room)).map((room) => `    ${room}`)
    return [`  subgraph ${wing}`, ...alone.sort(), ...[...arrows].sort(), '  end']
  })
  const title = [
    '  accTitle: Imports',
    '  accDescr: Each wing with its domains; an arrow leads from what imports to what it imports.',
  ]
  return ['flowchart TD', ...title, ...drawn, ...[...between].sort()].join('\n')
}

/** Returns the sources that the law applies to, by path. */
export function readSources() {
  const files = globSync('{packages,apps}/*/src/**/*.{ts,vue}').filter(
    (file) => !/(\.(test|bench)|\/expected)\.ts$/.test(file),
  )
  return new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
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

  const inside = closed.find((folder) => target.startsWith(`${folder}/`))
  if (inside !== undefined && !file.startsWith(`${inside}/`) && target !== `${inside}/index.ts`)
    return violation(`import ${inside} through its index.ts`)

  const [from, to] = [placeOf(file), placeOf(target)]
  if (from.wing !== to.wing) {
    if (to.wing === undefined) return []
    if (target !== `${domain}/${to.wing}/index.ts`) return violation(`import ${to.wing} through its index.ts`)
    if (wings.indexOf(from.wing) > wings.indexOf(to.wing)) return violation(`${from.wing} is not above ${to.wing}`)
  } else if (from.room !== to.room && to.room !== undefined && target !== `${domain}/${to.wing}/${to.room}/index.ts`) {
    return violation(`import ${to.room} through its index.ts`)
  }
  return []
}

/** Returns the imports between the folders of layered packages. */
function foldersOf(files) {
  const folders = new Map()
  for (const [file, targets] of files) {
    const folder = folderOf(file)
    const others = targets.map(folderOf).filter((other) => other !== undefined && other !== folder)
    if (folder !== undefined) folders.set(folder, [...(folders.get(folder) ?? []), ...others])
  }
  return folders
}

/** Returns the folder of a layered package, or the file beside its folders, that contains a file. */
function folderOf(file) {
  const home = layered.find((each) => file?.startsWith(`${each}/`))
  return home && `${home}/${file.slice(home.length + 1).split('/')[0]}`
}

/**
 * Finds files, or folders, that import each other, even if they import types only. Reports the shortest cycle of each
 * group.
 */
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
    for (const target of imports.get(path.at(-1)) ?? []) {
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

/** Returns the wing of the domain, and the folder in it, that contain a file. */
function placeOf(file) {
  const [, wing, room] = new RegExp(`^${domain}/([^/]+)/(?:([^/]+)/)?`).exec(file) ?? []
  return { wing, room }
}

if (process.argv[1] === import.meta.filename) {
  const violations = findViolations(readSources())
  for (const violation of violations) console.log(violation)
  process.exitCode = violations.length > 0 ? 1 : 0
}

// The one entry of every npm script: sees to a Node that is new enough and to the packages, then runs what was asked for.
// It runs on any Node from 20 on and may use nothing but Node itself. Only progress is printed, on stderr.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isInstalled } from './installed.mjs'
import { hashOf, isBuilt, noteBuilt, webApps } from './webApps.mjs'

const root = dirname(import.meta.dirname ?? dirname(fileURLToPath(import.meta.url)))
const exitWithParent = join(root, 'setup/exitWithParent.mjs')

// Left to itself, V8 lets the garbage of a busy server grow to several times what is in use before it collects, and then collects it with
// several threads at once, which takes a tenth more of the provider than one.
const garbage = ['--max-old-space-size=512', '--max-semi-space-size=16', '--no-parallel-scavenge']
const targets = {
  start: [...garbage, '--import', exitWithParent, 'apps/server/src/main.ts'],
  test: ['node_modules/vitest/vitest.mjs', 'run'],
  souk: ['--import', exitWithParent, 'packages/cli/src/main.ts'],
  check: ['setup/check.mjs'],
  generate: ['setup/generate.mjs'],
  bench: ['--import', exitWithParent, 'bench/main.ts'],
}

const [name, ...args] = process.argv.slice(2)
if (!Object.hasOwn(targets, name ?? '')) {
  console.error(`usage: node setup/run.mjs ${Object.keys(targets).join('|')} [arguments]`)
  process.exit(2)
}
if (process.env.npm_lifecycle_event) await import('./exitWithParent.mjs')

const node = runsTypeScript(process.versions.node) ? process.execPath : join(root, 'setup/node/node_modules/.bin/node')
const folders = node === process.execPath ? [root] : [join(root, 'setup/node'), root]
if (!folders.every(isInstalled)) await alone(() => install(folders))

const env = { ...process.env, PATH: dirname(node) + delimiter + process.env.PATH }
env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/node')
// Conditions let the packages of this repository be imported from their sources (ADR 2).
const flags = ['--conditions=souk-source', '--disable-warning=ExperimentalWarning']
if ((name === 'start' || name === 'test') && !webApps.every((app) => isBuilt(root, app))) {
  await alone(async () => {
    for (const app of webApps) await build(app)
  })
}
const program = [...flags, ...targets[name], ...args]
leaveLike(await (name === 'start' ? start(program) : run(node, program, { cwd: root, env })))

/** Node strips types without being asked since 22.18. */
function runsTypeScript(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 18)
}

async function install(folders) {
  for (const folder of folders) {
    if (isInstalled(folder)) continue
    console.error(folder === root ? 'Installing packages …' : 'Bringing Node 24 into setup/node …')
    const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
    const path = join(root, 'setup/node/node_modules/.bin') + delimiter + process.env.PATH
    // Whatever called npm may have been told to be silent, to leave packages out or to work elsewhere.
    const wishes = ['ci', '--include=dev', '--include=optional', '--loglevel=error', '--no-audit', '--no-fund']
    const [program, ...first] = npm
    const end = await run(program, [...first, ...wishes], {
      cwd: folder,
      env: { ...process.env, PATH: path, npm_config_local_prefix: undefined, npm_config_workspace: undefined },
      stdio: ['ignore', 2, 2],
    })
    if (end.code !== 0) {
      console.error(`npm ci failed in ${folder}`)
      leaveLike(end)
      await new Promise(() => {})
    }
  }
}

/** The server and most tests do without it; a build that fails is told and no more. */
async function build(app) {
  if (isBuilt(root, app)) return
  console.error(`Building the ${app.name} …`)
  // Taken before the build: what changes meanwhile is built the next time.
  const sources = hashOf(root, app)
  const vite = ['node_modules/vite/bin/vite.js', 'build', app.folder, '--configLoader', 'native', '--logLevel', 'error']
  const { code } = await run(node, [...flags, ...vite], { cwd: root, env, stdio: ['ignore', 2, 2] })
  if (code === 0) noteBuilt(root, app, sources)
  else console.error(`The ${app.name} could not be built.`)
}

/** The server, and beside it the example, from when there is a sandbox until the server ends. */
async function start(server) {
  const ending = new AbortController()
  let example
  const end = await run(node, server, {
    cwd: root,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    ready: ({ role, environment, publicUrl, dataDir }) => {
      if (environment !== 'sandbox' || role !== 'all' || process.env.SOUK_EXAMPLE === 'off') return
      example = run(node, [...flags, '--import', exitWithParent, 'examples/coffee/main.ts'], {
        cwd: root,
        env: { ...env, SOUK_URL: publicUrl, SOUK_DATA_DIR: dataDir },
        signal: ending.signal,
      })
    },
  })
  ending.abort()
  await example
  return end
}

/**
 * Runs `work` while no other set-up of this folder is at work. The lock is a port derived from the folder: the system frees it
 * whatever becomes of its holder. In case something else sits on that port, patience ends after ten minutes.
 */
async function alone(work) {
  const port = 20_000 + [...root].reduce((hash, letter) => (hash * 31 + letter.codePointAt(0)) % 10_000, 7)
  const until = Date.now() + 600_000
  let lock = await listen(port)
  if (!lock) console.error('Waiting for another set-up to finish …')
  while (!lock && Date.now() < until) {
    await wait(200)
    lock = await listen(port)
  }
  await work()
  lock?.close()
}

/** Resolves with undefined where somebody else listens. */
function listen(port) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server))
  })
}

/** Runs a program, hands signals on to it and resolves with how it ended. `ready` gets its first message. */
function run(program, args, { ready, ...options }) {
  const child = spawn(program, args, { stdio: 'inherit', ...options })
  if (ready) child.once('message', ready)
  const handOn = (signal) => {
    // Ctrl-C reaches the child from the terminal already.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, handOn)
  return new Promise((resolve) => {
    child.on('error', (error) => {
      // Its end is on its way.
      if (error.name === 'AbortError') return
      console.error(`${program}: ${error.message}`)
      resolve({ code: 127 })
    })
    child.once('exit', (code, signal) => {
      for (const name of signals) process.off(name, handOn)
      resolve({ code, signal })
    })
  })
}

function leaveLike({ code, signal }) {
  if (signal) process.kill(process.pid, signal)
  else process.exit(code)
}

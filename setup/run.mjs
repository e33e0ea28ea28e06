// Entry point of every npm script: installs Node and the packages if needed, then runs the script.
// Must run on Node 20 and use nothing but Node itself. Prints only progress, to stderr.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isInstalled } from './installed.mjs'
import { hashSources, isBuilt, recordBuild, webApps } from './webApps.mjs'

const root = dirname(import.meta.dirname ?? dirname(fileURLToPath(import.meta.url)))
const exitWithParent = join(root, 'setup/exitWithParent.mjs')

// By default V8 lets the heap of a busy server grow to several times its live size before it collects, and collects the
// young generation with several threads, which costs a tenth more CPU time than one.
const heapFlags = ['--max-old-space-size=512', '--max-semi-space-size=4', '--no-parallel-scavenge']
const targets = {
  start: [...heapFlags, '--import', exitWithParent, 'apps/server/src/main.ts'],
  test: ['node_modules/vitest/vitest.mjs', 'run'],
  souk: ['--import', exitWithParent, 'packages/cli/src/main.ts'],
  check: ['setup/check.mjs'],
  generate: ['setup/generate.mjs'],
  new: ['setup/new.mjs'],
  pack: ['setup/packServer.mjs'],
  release: ['setup/release.mjs'],
  fuzz: ['--import', exitWithParent, 'fuzz/main.ts'],
  rehearse: ['--import', exitWithParent, 'apps/server/test/ha/main.ts'],
  bench: ['--import', exitWithParent, 'bench/main.ts'],
  pictures: ['--import', exitWithParent, 'e2e/pictures.ts'],
}

/** The projects of `npm test` without arguments, which answers within five minutes. */
const quick = ['packages', 'web', 'alone', 'server', 'site', 'story']
/** Tests that run without the web applications: neither in a browser, nor of the packed server. */
const withoutWebApps = {
  projects: ['packages', 'builds', 'web', 'alone', 'long', 'server'],
  folders: /^(packages|setup|docs|apps\/(console|host|server)\/src|apps\/server\/test\/http)\//,
}

const [name, ...args] = process.argv.slice(2)
if (!Object.hasOwn(targets, name ?? '')) {
  console.error(`usage: node setup/run.mjs ${Object.keys(targets).join('|')} [arguments]`)
  process.exit(2)
}
const selected = readSelection(name === 'test' ? args : [])
const isQuickTest = name === 'test' && selected.projects.length === 0 && selected.files.length === 0
if (process.env.npm_lifecycle_event) await import('./exitWithParent.mjs')

const node = runsTypeScript(process.versions.node) ? process.execPath : join(root, 'setup/node/node_modules/.bin/node')
const folders = node === process.execPath ? [root] : [join(root, 'setup/node'), root]
if (!folders.every(isInstalled)) await withSetupLock(() => install(folders))

const env = { ...process.env, PATH: dirname(node) + delimiter + process.env.PATH }
env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/node')
// By default glibc keeps freed memory of V8's threads and of large buffers, about 15 MB of a busy server.
env.MALLOC_ARENA_MAX ??= '2'
env.MALLOC_TRIM_THRESHOLD_ ??= '131072'
// This export condition resolves the packages of this repository to their sources (ADR 2).
const flags = ['--conditions=souk-source', '--disable-warning=ExperimentalWarning']
if (needsWebApps() && !webApps.every((app) => isBuilt(root, app))) {
  await withSetupLock(async () => {
    await Promise.all(webApps.map(build))
  })
}
const program = [...flags, ...targets[name], ...args]
if (isQuickTest) program.push(...quick.map((project) => `--project=${project}`))
exitLike(await (name === 'start' ? start(program) : run(node, program, { cwd: root, env })))

/** Returns the projects and files that the arguments of `test` name. */
function readSelection(args) {
  const value = { type: 'string' }
  const options = { project: { ...value, multiple: true }, testNamePattern: { ...value, short: 't' }, reporter: value }
  const { values, positionals } = parseArgs({ args, options, strict: false, allowPositionals: true })
  return { projects: values.project ?? [], files: positionals }
}

function needsWebApps() {
  if (name !== 'test') return ['start', 'fuzz', 'pack', 'bench', 'pictures'].includes(name)
  if (selected.files.length > 0) return selected.files.some((file) => !withoutWebApps.folders.test(file))
  return isQuickTest || selected.projects.some((project) => !withoutWebApps.projects.includes(project))
}

/** Returns whether Node strips types by default, as since 22.18. */
function runsTypeScript(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 18)
}

async function install(folders) {
  for (const folder of folders) {
    if (isInstalled(folder)) continue
    console.error(folder === root ? 'Installing packages …' : 'Installing Node 24 into setup/node …')
    const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
    const path = join(root, 'setup/node/node_modules/.bin') + delimiter + process.env.PATH
    // These override the settings of an npm that called us: silent, production only, or for one workspace.
    const ciFlags = ['ci', '--include=dev', '--include=optional', '--loglevel=error', '--no-audit', '--no-fund']
    const [program, ...script] = npm
    const end = await run(program, [...script, ...ciFlags], {
      cwd: folder,
      env: { ...process.env, PATH: path, npm_config_local_prefix: undefined, npm_config_workspace: undefined },
      stdio: ['ignore', 2, 2],
    })
    if (end.code !== 0) {
      console.error(`npm ci failed in ${folder}.`)
      exitLike(end)
      await new Promise(() => {})
    }
  }
}

/** Builds a web app. A failure is only reported, since the server and most tests run without it. */
async function build(app) {
  if (isBuilt(root, app)) return
  console.error(`Building the ${app.name} …`)
  // Hashed before the build, so that changes made during it are built the next time.
  const hash = hashSources(root, app)
  const { code } = await run(node, [...flags, ...app.builder, app.folder, '--logLevel', 'error'], {
    cwd: root,
    // Otherwise a NODE_ENV of the caller, such as that of Vitest, makes a larger and slower development build.
    env: { ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 2, 2],
  })
  if (code === 0) recordBuild(root, app, hash)
  else console.error(`Building the ${app.name} failed: the rest works without it.`)
}

/** Runs the server and, once a sandbox is ready, the example beside it until the server ends (ADR 180). */
async function start(server) {
  const ending = new AbortController()
  let example
  const end = await run(node, server, {
    cwd: root,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    ready: ({ role, environment, publicUrl, dataDir }) => {
      // The first request packs the packages for developers if their sources have changed. This one comes before
      // theirs.
      if (role !== 'worker') fetch(`${publicUrl}/npm/@souk/cli`, { method: 'HEAD' }).catch(() => {})
      if (environment !== 'sandbox' || role !== 'all' || process.env.SOUK_EXAMPLE === 'off') return
      example = run(node, [...flags, '--import', exitWithParent, 'examples/coffee/main.ts'], {
        cwd: root,
        env: { ...env, SOUK_URL: publicUrl, SOUK_DATA_DIR: dataDir },
        stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
        signal: ending.signal,
      })
    },
  })
  ending.abort()
  await example
  return end
}

/**
 * Runs `work` while no other set-up of this folder is running. The lock is a port derived from the folder, because the
 * operating system frees it however its owner ends. Another program may use that port, so waiting ends after ten
 * minutes.
 */
async function withSetupLock(work) {
  const port = 20_000 + [...root].reduce((hash, letter) => (hash * 31 + letter.codePointAt(0)) % 10_000, 7)
  const deadline = Date.now() + 600_000
  let lock = await listen(port)
  if (!lock) console.error('Waiting for another set-up to finish …')
  while (!lock && Date.now() < deadline) {
    await wait(200)
    lock = await listen(port)
  }
  await work()
  lock?.close()
}

/** Resolves with undefined if the port is in use. */
function listen(port) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server))
  })
}

/** Runs a program, forwards signals to it and resolves with its exit status. `ready` receives its first message. */
function run(program, args, { ready, ...options }) {
  const child = spawn(program, args, { stdio: 'inherit', ...options })
  if (ready) child.once('message', ready)
  const forward = (signal) => {
    // The terminal sends Ctrl-C to the child as well.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, forward)
  return new Promise((resolve) => {
    child.on('error', (error) => {
      // The exit event follows.
      if (error.name === 'AbortError') return
      console.error(`${program}: ${error.message}`)
      resolve({ code: 127 })
    })
    child.once('exit', (code, signal) => {
      for (const name of signals) process.off(name, forward)
      resolve({ code, signal })
    })
  })
}

function exitLike({ code, signal }) {
  if (signal) process.kill(process.pid, signal)
  else process.exit(code)
}

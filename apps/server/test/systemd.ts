import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { second } from '@souk/contract'
import { programOf } from './bundledPrograms.ts'

const clone = join(import.meta.dirname, '../../..')

/** What a unit file says about its process. */
interface Unit {
  environment: Record<string, string>
  environmentFiles: string[]
  stateDirectories: string[]
  workingDirectory: string
  /** Time between SIGTERM and SIGKILL, ms. */
  stopTimeout: number
}

function parseUnit(text: string): Unit {
  const all = (name: string) => [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!)
  const words = (name: string) => all(name).flatMap((line) => line.split(' '))
  return {
    environment: parseVariables(words('Environment')),
    environmentFiles: all('EnvironmentFile'),
    stateDirectories: words('StateDirectory'),
    workingDirectory: all('WorkingDirectory')[0]!,
    stopTimeout: Number(all('TimeoutStopSec')[0]) * second,
  }
}

function parseVariables(lines: string[]): Record<string, string> {
  return Object.fromEntries(lines.filter((line) => line.includes('=')).map((line) => line.split(/=(.*)/s, 2)))
}

/**
 * Runs processes of Souk as their units say, in place of systemd, which cannot run in a container. They run the bundle
 * of this repository.
 */
export class Systemd {
  readonly #machine: string
  /** Replaces the folders in a unit. */
  readonly #onMachine: (text: string) => string
  readonly #running = new Map<string, { child: ChildProcess; stopTimeout: number }>()
  readonly #server: Server
  #log = ''

  private constructor(machine: string, onMachine: (text: string) => string) {
    this.#machine = machine
    this.#onMachine = onMachine
    this.#server = createServer(({ url }, response) => {
      const args = new URL(url!, 'http://localhost').searchParams.getAll('argument')
      this.#obey(args).then(
        (text) => response.end(text),
        (error: Error) => response.writeHead(500).end(`${error.message}\n`),
      )
    })
  }

  /** Reads units from etc/systemd/system of a folder, and writes the command `systemctl` into its folder bin. */
  static async start(machine: string, onMachine: (text: string) => string): Promise<Systemd> {
    const systemd = new Systemd(machine, onMachine)
    systemd.#server.listen(0, '127.0.0.1')
    await once(systemd.#server, 'listening')
    const { port } = systemd.#server.address() as AddressInfo
    const command = join(machine, 'bin/systemctl')
    await writeFile(
      command,
      `#!/usr/bin/env bash
      for argument; do arguments+=(--data-urlencode "argument=$argument"); done
      exec curl --fail-with-body --silent --show-error --get "\${arguments[@]}" http://127.0.0.1:${port}/`,
    )
    await chmod(command, 0o755)
    return systemd
  }

  async #obey([command, ...args]: string[]): Promise<string> {
    const names = args.filter((argument) => !argument.startsWith('-'))
    switch (command) {
      case 'daemon-reload':
        return ''
      case 'list-units':
        return this.units()
          .map((name) => `${name}.service loaded active running Souk\n`)
          .join('')
      case 'enable':
        for (const name of names) await this.enable(name)
        return ''
      case 'disable':
        for (const name of names) await this.#end(name)
        return ''
      case 'restart':
        for (const name of names) {
          await this.#end(name)
          await this.enable(name)
        }
        return ''
      default:
        throw new Error(`This systemctl does not have ${command}.`)
    }
  }

  /** Starts a unit, such as souk@7071. */
  async enable(name: string): Promise<void> {
    const [, base, instance = ''] = /^(\w+@?)(.*)$/.exec(name)!
    const file = join(this.#machine, 'etc/systemd/system', `${base}.service`)
    const unit = parseUnit(this.#onMachine(await readFile(file, 'utf8')).replaceAll('%i', instance))
    for (const state of unit.stateDirectories) await this.#createState(state)
    const settings = await Promise.all(unit.environmentFiles.map(readVariables))
    const { file: main, env } = programOf('apps/server/src/main.ts')
    const flags = ['--conditions=souk-source', '--disable-warning=ExperimentalWarning']
    const child = spawn(process.execPath, [...flags, main], {
      cwd: unit.workingDirectory,
      env: {
        PATH: process.env.PATH,
        ...env,
        NODE_OPTIONS: `--import=${join(clone, 'setup/exitWithParent.mjs')}`,
        ...unit.environment,
        // As with systemd, files override what the unit sets.
        ...Object.assign({}, ...settings),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#log += `${name}: ${text}`
      })
    }
    child.once('exit', () => this.#running.delete(name))
    this.#running.set(name, { child, stopTimeout: unit.stopTimeout })
  }

  /** Creates a folder under /var/lib as for a dynamic user. */
  async #createState(name: string): Promise<void> {
    const folder = join(this.#machine, 'var/lib')
    await mkdir(join(folder, 'private', name), { recursive: true, mode: 0o700 })
    await symlink(join('private', name), join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }

  /** @throws Error if the process does not end in time */
  async #end(name: string): Promise<void> {
    const { child, stopTimeout } = this.#running.get(name)!
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    if (await Promise.race([exited, wait(stopTimeout, undefined, { ref: false })])) return
    throw new Error(`${name} did not stop within ${stopTimeout} ms.`)
  }

  /** Kills a process, which stays down. */
  async kill(name: string): Promise<void> {
    const { child } = this.#running.get(name)!
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  /** Returns the units that run. */
  units(): string[] {
    return [...this.#running.keys()].toSorted()
  }

  pidOf(name: string): number | undefined {
    return this.#running.get(name)?.child.pid
  }

  /** Returns what all processes have printed. */
  log(): string {
    return this.#log
  }

  async stop(): Promise<void> {
    await Promise.all(this.units().map((name) => this.kill(name)))
    this.#server.close()
  }
}

/** Reads a file of settings. A dash before its path means that it can be missing. */
async function readVariables(path: string): Promise<Record<string, string>> {
  const text = await readFile(path.replace(/^-/, ''), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (path.startsWith('-') && error.code === 'ENOENT') return ''
    throw error
  })
  return parseVariables(text.split('\n'))
}

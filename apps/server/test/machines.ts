import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'

/** True if this machine can start others in network namespaces: on Linux, as root, with iproute2. */
export const canStartMachines =
  process.getuid?.() === 0 && spawnSync('ip', ['netns', 'list']).status === 0 && canCreateNamespaces()

function canCreateNamespaces(): boolean {
  const name = `souk-probe-${process.pid}`
  const isCreated = spawnSync('ip', ['netns', 'add', name]).status === 0
  spawnSync('ip', ['netns', 'delete', name])
  return isCreated
}

/** A machine: a network namespace with its own address. */
export interface Machine {
  address: string
  /** Starts a program on the machine. */
  spawn(command: string, parameters: readonly string[]): ChildProcess
  /** Runs a script on the machine as a user that PostgreSQL accepts. */
  run(script: string): void
  /** Takes the machine off the network. Its peers get neither FIN nor RST. */
  cut(): void
}

/** Machines on one network with this one. */
export interface Network {
  add(): Machine
  /** Ends all programs of the machines. */
  stop(): void
}

const ip = (...parameters: string[]) => execFileSync('ip', parameters, { stdio: ['ignore', 'ignore', 'inherit'] })

export function startNetwork(): Network {
  const id = `sk${randomInt(36 ** 4).toString(36)}`
  const subnet = `10.${randomInt(64, 224)}.${randomInt(256)}`
  const names: string[] = []
  ip('link', 'add', id, 'type', 'bridge')
  ip('address', 'add', `${subnet}.1/24`, 'dev', id)
  ip('link', 'set', id, 'up')

  return {
    add() {
      const number = names.length + 2
      const name = `${id}-${number}`
      const outer = `${id}o${number}`
      const inner = `${id}i${number}`
      const address = `${subnet}.${number}`
      names.push(name)
      ip('netns', 'add', name)
      ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner)
      ip('link', 'set', inner, 'netns', name)
      ip('link', 'set', outer, 'master', id, 'up')
      ip('-n', name, 'address', 'add', `${address}/24`, 'dev', inner)
      ip('-n', name, 'link', 'set', inner, 'up')
      ip('-n', name, 'link', 'set', 'lo', 'up')
      const inside = ['netns', 'exec', name]
      return {
        address,
        spawn: (command, parameters) =>
          spawn('ip', [...inside, command, ...parameters], { stdio: ['ignore', 'pipe', 'inherit'] }),
        run(script) {
          const asUser = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
          const shell = [...asUser, 'bash', '--norc', '-euo', 'pipefail', '-c', script]
          execFileSync('ip', [...inside, ...shell], { cwd: '/tmp', stdio: ['ignore', 'ignore', 'inherit'] })
        },
        cut: () => ip('link', 'set', outer, 'down'),
      }
    },
    stop() {
      for (const name of names) {
        const pids = execFileSync('ip', ['netns', 'pids', name], { encoding: 'utf8' }).split('\n').filter(Boolean)
        for (const pid of pids) {
          try {
            process.kill(Number(pid), 'SIGKILL')
          } catch {
            // It has ended in the meantime.
          }
        }
        ip('netns', 'delete', name)
      }
      ip('link', 'delete', id)
    },
  }
}

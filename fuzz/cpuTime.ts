import { readFileSync } from 'node:fs'
import { second } from '@souk/contract'

/** CPU time that one input may take, ms. */
export const cpuLimit = second

/** Returns the CPU time of this process in ms, which does not grow while other processes keep the machine busy. */
export function ownCpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Clock ticks per second in /proc, on every Linux platform of Node. */
const ticksPerSecond = 100

/** CPU time and resident memory of another process. */
export interface Usage {
  /** ms, in steps of 10 ms */
  cpu: number
  /** bytes */
  memory: number
  /** The most memory since the start of the process, or since its peak was reset, in bytes. */
  peak: number
}

/** Returns the usage of a process, or undefined on a system without /proc. */
export function usageOf(pid: number): Usage | undefined {
  try {
    // The name of the program, in parentheses, may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const bytesOf = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024
    return {
      cpu: ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000,
      memory: bytesOf('VmRSS'),
      peak: bytesOf('VmHWM'),
    }
  } catch {
    return undefined
  }
}

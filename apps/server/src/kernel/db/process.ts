import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A process of the operating system. */
export interface ProcessInfo {
  parent: number
  /** The command line, joined by spaces. */
  command: string
}

/**
 * Returns the process with this id, or `undefined` if there is none or it is a zombie, which signal 0 cannot detect.
 */
export function processInfo(pid: number): ProcessInfo | undefined {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid)
}

function fromProc(pid: number): ProcessInfo | undefined {
  let stat: string
  let command: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return undefined
  }
  // The second field is the program's name in parentheses, which may itself contain spaces and parentheses.
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (state === 'Z' || state === 'X') return undefined
  return { parent: Number(parent), command: command.replaceAll('\0', ' ').trimEnd() }
}

function fromPs(pid: number): ProcessInfo | undefined {
  let line: string
  try {
    line = execFileSync('ps', ['-ww', '-o', 'stat=,ppid=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
  const [, state, parent, command] = /^(\S+)\s+(\d+)\s+(.*)$/s.exec(line) ?? []
  if (state === undefined || state.startsWith('Z')) return undefined
  return { parent: Number(parent), command: command ?? '' }
}

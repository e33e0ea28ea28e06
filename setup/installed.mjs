import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Compares what npm recorded about the installed packages with the lock file. Links to workspaces do not count. */
export function isInstalled(folder) {
  const wanted = readPackages(join(folder, 'package-lock.json'))
  const found = readPackages(join(folder, 'node_modules/.package-lock.json'))
  return Object.entries(wanted).every(
    ([path, entry]) =>
      !path.includes('node_modules/') || entry.link || !isRequiredHere(entry) || found[path]?.version === entry.version,
  )
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch (error) {
    if (error.code === 'ENOENT') return {}
    throw error
  }
}

/** Returns false for optional packages of other systems, and of one C library, which is slow to detect. */
function isRequiredHere({ optional, os, cpu, libc }) {
  if (!optional) return true
  return !libc && [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch)
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the licenses of the packages of others that the modules with these paths belong to. */
export function licensesOf(modules) {
  const folders = modules.map((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
  const texts = [...new Set(folders)]
    .filter((path) => path !== undefined)
    .map((path) => {
      const { name, version } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
      const license = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry))
      if (!license) throw new Error(`${name} has no license file.`)
      return `${name} ${version}\n\n${readFileSync(join(path, license), 'utf8').trim()}\n`
    })
  return texts.sort().join(`\n${'-'.repeat(80)}\n\n`)
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the licences of the packages of others that the modules with these paths belong to. */
export function licencesOf(modules) {
  const folders = modules.map((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
  const texts = [...new Set(folders)]
    .filter((path) => path !== undefined)
    .map((path) => {
      const { name, version } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
      const licence = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry))
      if (!licence) throw new Error(`${name} has no licence file.`)
      return `${name} ${version}\n\n${readFileSync(join(path, licence), 'utf8').trim()}\n`
    })
  return texts.sort().join(`\n${'-'.repeat(80)}\n\n`)
}

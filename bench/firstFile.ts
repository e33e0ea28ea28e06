// Reads, checks and resolves the file argv[2] at the start of a process and prints the time in ms.
import { readFileSync } from 'node:fs'
import { check, platforms, readPages, resolve } from '@souk/pages'

const text = readFileSync(process.argv[2]!, 'utf8')
const start = performance.now()
const config = readPages(text)
check(config)
for (const platform of platforms) resolve(config, { platform })
console.log(performance.now() - start)

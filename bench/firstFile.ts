// Reads, checks and resolves the file at argv[2], as the first thing that its process does; prints the ms that this took.
import { readFileSync } from 'node:fs'
import { check, platforms, readPages, resolve } from '@souk/pages'

const text = readFileSync(process.argv[2]!, 'utf8')
const start = performance.now()
const config = readPages(text)
check(config)
for (const platform of platforms) resolve(config, { platform })
console.log(performance.now() - start)

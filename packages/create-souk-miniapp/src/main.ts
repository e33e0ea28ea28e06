#!/usr/bin/env node
import { relative } from 'node:path'
import { CreateError, create } from './create.ts'

const usage = `npm create souk-miniapp <folder>

Creates a mini app in a new or empty folder. It asks no questions and installs nothing.`

const [path, ...more] = process.argv.slice(2)
if (path === '--help' || path === '-h') console.log(usage)
else if (path === undefined || path.startsWith('-') || more.length > 0) {
  console.error(usage)
  process.exitCode = 2
} else {
  try {
    const folder = relative('.', await create(path)) || '.'
    console.log(`Created ${folder}. Next steps:

  cd ${/[^\w./-]/.test(folder) ? `"${folder}"` : folder}
  npm install
  npm run dev`)
  } catch (error) {
    if (!(error instanceof CreateError)) throw error
    console.error(`create-souk-miniapp: ${error.message}`)
    process.exitCode = 1
  }
}

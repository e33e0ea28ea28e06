// Checks the types of .vue files in the package given as argument. vue-tsc needs the compiler API of TypeScript, which
// version 7 does not have, so it uses the TypeScript 6 of apps/console.
const { createRequire } = require('node:module')
const { join } = require('node:path')

const requireFromConsole = createRequire(join(__dirname, '../apps/console/package.json'))
process.argv.push('--noEmit', '--project', join(__dirname, '..', process.argv.pop(), 'tsconfig.json'))
require('vue-tsc').run(requireFromConsole.resolve('typescript/lib/tsc'))

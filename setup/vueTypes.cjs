// Types of the .vue files: vue-tsc works on the compiler API of TypeScript, which its native version 7 does not have, so it gets
// the TypeScript 6 that is installed for apps/console alone. The argument is the folder of a package.
const { createRequire } = require('node:module')
const { join } = require('node:path')

const ofConsole = createRequire(join(__dirname, '../apps/console/package.json'))
process.argv.push('--noEmit', '--project', join(__dirname, '..', process.argv.pop(), 'tsconfig.json'))
require('vue-tsc').run(ofConsole.resolve('typescript/lib/tsc'))

// Checks that no regular expression in shipped code takes more than linear time. An expression that reads only input of
// the same person (a developer's files on their own machine) can be exempt: `// ReDoS: <reason>` above it.
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parse as parseVue } from '@vue/compiler-sfc'
import { check } from 'recheck'
import { parseSync, Visitor } from 'vite'

/** Hashes of linear expressions, so that only new ones are analyzed. */
const cacheFile = 'node_modules/.cache/linearRegexps.json'
const { version } = createRequire(import.meta.url)('recheck/package.json')

/**
 * Returns the regular expressions of a source file: literals, calls of `RegExp`, and patterns of JSON Schema, which are
 * in properties or constants of that name. `pattern` is undefined if the expression is composed at run time. `exempt`
 * is true if the comment above gives a reason.
 */
export function findRegexps(file, content) {
  return scriptsOf(file, content).flatMap((text) => {
    const found = []
    const add = ({ start }, pattern, flags = '') => {
      const lines = text.slice(0, start).split('\n')
      const exempt = lines.slice(-2).some((line) => /^\s*(\/\/|\*|\/\*\*) .*\bReDoS: ./.test(line))
      found.push({ file, line: lines.length, pattern, flags, exempt })
    }
    const construct = (node) => {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return
      add(node, ...node.arguments.map(textOf))
    }
    const addPattern = (name, value) => {
      const pattern = /pattern$/i.test(name) ? textOf(value) : undefined
      // Glob patterns have such names too.
      if (pattern !== undefined && isRegexp(pattern)) add(value, pattern, 'u')
    }
    new Visitor({
      Literal: (node) => node.regex && add(node, node.regex.pattern, node.regex.flags),
      NewExpression: construct,
      CallExpression: construct,
      Property: ({ key, value }) => addPattern(key.name ?? key.value, value),
      VariableDeclarator: ({ id, init }) => addPattern(id.name, init),
    }).visit(parseSync(`${file}.ts`, text).program)
    return found
  })
}

function scriptsOf(file, content) {
  if (!file.endsWith('.vue')) return [content]
  const { script, scriptSetup } = parseVue(content, { sourceMap: false }).descriptor
  return [script, scriptSetup].filter(Boolean).map((it) => it.content)
}

/** Returns the value of a string literal, or undefined for any other expression. */
function textOf(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0].value.cooked
  return undefined
}

function isRegexp(pattern) {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}

/** Returns what is wrong with an expression, or undefined if it is linear. */
export async function findProblem({ pattern, flags }) {
  if (pattern === undefined) return 'is composed at run time, so it cannot be analyzed'
  // The analyzer does not know the flag d, which does not change the time.
  const { status, checker, complexity, attack, error } = await check(pattern, flags.replace('d', ''), {
    timeout: 30_000,
  })
  if (status === 'safe') return undefined
  if (status === 'unknown') return `cannot be analyzed: ${error.kind}`
  // A fuzzed attack is one that took long, which any text can on a busy machine.
  if (checker === 'fuzz' && isLinear(new RegExp(pattern, flags), attack)) return undefined
  return `takes ${complexity.summary} time, for example on ${attack.pattern}`
}

/** Whether an expression takes no time to speak of for an attack, or little more than four times that of a quarter. */
export function isLinear(regexp, { pumps, suffix, base }) {
  const text = (share) =>
    pumps.map(({ prefix, pump, bias }) => prefix + pump.repeat(Math.ceil(base * share) + bias)).join('') + suffix
  const time = (share) => {
    const attacked = text(share)
    const times = [1, 2, 3].map(() => {
      const start = performance.now()
      attacked.search(regexp)
      return performance.now() - start
    })
    return Math.min(...times)
  }
  const whole = time(1)
  return whole < 20 || whole < 8 * time(1 / 4)
}

if (process.argv[1] === import.meta.filename) await main()

async function main() {
  const files = globSync('{packages,apps}/*/src/**/*.{ts,vue}').filter((file) => !/\.(test|bench)\.ts$/.test(file))
  const regexps = files.flatMap((file) => findRegexps(file, readFileSync(file, 'utf8')))
  const cache = readCache()
  for (const regexp of regexps) {
    const key = createHash('sha256')
      .update(JSON.stringify([version, regexp.pattern, regexp.flags]))
      .digest('hex')
    if (cache.has(key) || regexp.exempt) continue
    const problem = await findProblem(regexp)
    if (problem === undefined) cache.add(key)
    else {
      console.log(`${regexp.file}:${regexp.line}: /${regexp.pattern}/${regexp.flags} ${problem}`)
      process.exitCode = 1
    }
  }
  mkdirSync('node_modules/.cache', { recursive: true })
  writeFileSync(cacheFile, JSON.stringify([...cache]))
}

function readCache() {
  try {
    return new Set(JSON.parse(readFileSync(cacheFile, 'utf8')))
  } catch {
    return new Set()
  }
}

// Derives from the registry and the folders of payment providers what other packages and the guide need of them.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { payType } from '../packages/contract/src/trade.ts'

const adapters = 'apps/server/src/domain/money/payments/adapters'
const registry = `${adapters}/registry.ts`
const fakes = 'packages/fake-providers/src'
const guide = 'docs/guides/providers.md'

/** Returns the files of a provider by path from the root, with what each contains. */
export const filesOf = (name) => ({
  [`${adapters}/${name}/description.ts`]: 'its title and the fields of an account',
  [`${adapters}/${name}/${name}.ts`]: 'its adapter',
  [`${adapters}/${name}/declines.ts`]: 'the failReasonType of its decline codes',
  [`${adapters}/${name}/guide.md`]: 'how to set up an account',
  [`${adapters}/${name}/expected.ts`]: 'what the tests of all providers expect of it',
  [`${fakes}/${name}.ts`]: 'a fake of it for development and tests',
})

/** @throws AggregateError with a sentence for each file or line that is missing */
export default async function generate() {
  // Not imported: it needs what is generated here.
  const lines = readFileSync(registry, 'utf8').matchAll(/^export \{ \w+ as (\w+) \} from '\.\/(\w+)\/\2\.ts'$/gm)
  const names = Array.from(lines, ([, name]) => name)
  const described = globSync(`${adapters}/*/description.ts`).map((path) => basename(dirname(path)))
  const missing = described
    .filter((name) => !names.includes(name))
    .map((name) => `Add the provider ${name} to ${registry}: export { … as ${name} } from './${name}/${name}.ts'`)
  for (const name of names) {
    for (const [path, content] of Object.entries(filesOf(name))) {
      if (!existsSync(path)) missing.push(`Add ${path} for the provider ${name}: ${content}.`)
    }
  }
  if (missing.length > 0) throw new AggregateError(missing.map((sentence) => new Error(sentence)))

  const importDescription = (name) => import(pathToFileURL(resolve(adapters, name, 'description.ts')).href)
  const descriptions = {}
  for (const name of names) descriptions[name] = (await importDescription(name)).description
  return {
    'packages/contract/src/providers.generated.ts': `${header}export const descriptions = ${JSON.stringify(descriptions, null, 2)} as const\n`,
    [`${fakes}/fakeProviders.generated.ts`]: `${header}${names.map((name) => `import { account as ${name} } from './${name}.ts'\n`).join('')}
/** Fake providers by name, in the order of their ports. */
export const fakeProviders = { ${names.join(', ')} }
`,
    [guide]: withProviders(readFileSync(guide, 'utf8'), descriptions),
  }
}

const header = `// Generated from the folders in ${adapters} by npm run generate.\n`

/** Returns the guide with the names of the providers and a section for each. */
function withProviders(text, descriptions) {
  const named = Object.values(descriptions).map(({ title, payType: type }) => `${title} (\`payType\` ${payType[type]})`)
  const list = named.join(', ').replace(/, ([^,]*)$/, ' and $1')
  const sections = Object.entries(descriptions).map(
    ([name, { title }]) => `### ${title}\n\n${readFileSync(`${adapters}/${name}/guide.md`, 'utf8')}\n`,
  )
  return text
    .replace(/(?<=through your accounts at ).*?(?=\.\n)/s, () => list)
    .replace(/### .*(?=## Failure handling)/s, () => sections.join(''))
}

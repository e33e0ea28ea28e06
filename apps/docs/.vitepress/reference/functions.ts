import { bridgeQuestions } from '../../../../packages/contract/src/bridge.ts'
import { type FailureName, failures } from '../../../../packages/runtime/src/neu/table/failures.ts'
import {
  availableFunctions,
  type Entry,
  groups,
  ignoredOptions,
} from '../../../../packages/runtime/src/neu/table/index.ts'
import type { TypesOfMiniApps } from '../../../../setup/typesOfMiniApps.mjs'
import { exampleOfFunction, exampleText } from './examples.ts'
import { code, fieldTable, folders, page, table } from './markdown.ts'
import { questions } from './questions.ts'

type Functions = TypesOfMiniApps['functions']

/** Titles of the groups of functions. */
const titles: Readonly<Record<keyof typeof groups, string>> = {
  navigation: 'Navigation',
  bars: 'Bars',
  tabs: 'Tabs',
  sideWindows: 'Side windows',
  page: 'Page',
  account: 'Account and payment',
  network: 'Network',
  storage: 'Storage',
  overlays: 'Overlays',
  system: 'System',
  app: 'App',
  device: 'Device',
  files: 'Files and media',
  canvas: 'Canvas',
  events: 'Events',
}

/** Returns the function whose page has a function: `onError` for `offError`, `getStorage` for `getStorageSync`. */
export function pageOfFunction(name: string): string {
  const on = name.replace(/^(\$?)off(?=[A-Z]|$)/, '$1on')
  const main = name.replace(/Sync$/, '')
  return [on, main].find((other) => other !== name && Object.hasOwn(availableFunctions, other)) ?? name
}

/** Returns the other functions on the page of a function. */
export const functionsOn = (name: string): string[] =>
  Object.keys(availableFunctions).filter((each) => each !== name && pageOfFunction(each) === name)

/** The functions that have a page. */
export const functionsWithPage = Object.keys(availableFunctions).filter((name) => pageOfFunction(name) === name)

const link = (name: string) => `[${name}](/${folders.functions}/${pageOfFunction(name)}.md)`

/** Returns the Markdown of the list of functions, in tables by group. */
export function functionList(types: Functions): string {
  return page(
    ...Object.entries(groups).flatMap(([group, functions]) => [
      `## ${titles[group as keyof typeof groups]}\n`,
      table(
        ['function', 'purpose', 'platforms'],
        Object.keys(functions).map((name) => [
          link(name),
          types[name]!.description,
          listedPlatforms(availableFunctions[name]!),
        ]),
      ),
    ]),
  )
}

/** Returns the Markdown of the page of a function. */
export function functionPage(name: string, types: Functions): string {
  const entry = availableFunctions[name]!
  const example = exampleOfFunction(name)
  const others = Object.values(groups).find((functions) => Object.hasOwn(functions, name))!
  return page(
    `# neu.${name}\n`,
    ...textsOf(name, types),
    ...functionsOn(name).flatMap((other) => [`## neu.${other}\n`, ...textsOf(other, types, name)]),
    differences(name),
    example && '## Example\n',
    example && !runsInPhone(entry) && 'Runs on H5.\n',
    example && exampleText(example, runsInPhone(entry)),
    '## See also\n',
    `${Object.keys(others)
      .filter((other) => pageOfFunction(other) === other && other !== name)
      .map(link)
      .join(', ')}.\n`,
  )
}

export const runsInPhone = ({ frame }: Entry) => frame !== 'missing'

/** Returns what a function does, takes, returns and fails with. `main` is the function of the page if it is another. */
function textsOf(name: string, types: Functions, main?: string): string[] {
  const { description, task } = types[name]!
  const heading = main ? '###' : '##'
  const fails = failuresOf(name)
  const [title, ...result] = resultOf(name, types, main)
  return [
    `${description}\n`,
    ...(main ? [] : [facts(availableFunctions[name]!)]),
    ...argumentsOf(name, types, heading),
    ...(title ? [`${heading} ${title}\n`, ...result] : []),
    ...(task.length > 0 ? [`${heading} Task\n`, 'The call also returns, at once:\n', fieldTable('method', task)] : []),
    ...(fails.length > 0
      ? [
          `${heading} Errors\n`,
          `\`errMsg\` is \`${name}:fail\`, and a reason:\n`,
          table(
            ['reason', 'when', 'what to do'],
            fails.map((fail) => {
              const { reason, when, fix } = failures[fail]
              return [`\`${reason}\``, when, fix]
            }),
          ),
        ]
      : []),
  ]
}

function argumentsOf(name: string, types: Functions, heading: string): string[] {
  const { options, parameters } = types[name]!
  const entry = availableFunctions[name]!
  const used = options.filter((option) => !entry.options?.[option.name]?.isIgnored)
  const listener = name.startsWith('off')
    ? 'The listener to remove; without it all are removed.'
    : 'Called with the event, if it has fields.'
  const described = parameters.map((field) => ({ ...field, description: field.description || listener }))
  if (used.length === 0 && described.length === 0) return []
  return [
    `${heading} Arguments\n`,
    ...(used.length > 0 ? ['An object with:\n'] : []),
    fieldTable('argument', used.length > 0 ? used : described, { required: true }),
    ...(entry.takesComponent ? ['A component may follow the object; its canvas is used then.\n'] : []),
  ]
}

/** Returns the title and the texts of what a function returns, or of the event that its listener gets. */
function resultOf(name: string, types: Functions, main?: string): string[] {
  const { parameters, result, returns, resultType } = types[name]!
  const { kind } = availableFunctions[name]!
  const isListener = kind === 'event' && parameters.some((parameter) => parameter.name === 'listener')
  if (isListener && /^\$?off/.test(name)) return []
  const title = isListener && resultType !== 'function' ? 'Event' : 'Result'
  if (result.length > 0) {
    const isSame = main && JSON.stringify(types[main]!.result) === JSON.stringify(result)
    return [
      title,
      ...(returns ? [`${returns}\n`] : []),
      isSame ? `That of \`${main}\`.\n` : fieldTable('field', result),
    ]
  }
  if (returns) return [title, `\`${resultType}\`. ${returns}\n`]
  return kind === 'async' ? [title, 'Nothing besides `errMsg`.\n'] : []
}

/** Returns the reasons with which a function fails. */
export function failuresOf(name: string): FailureName[] {
  const { options = {}, H5, frame, method, fails = [] } = availableFunctions[name]!
  const question = method && bridgeQuestions[method]
  const isChecked = Object.values(options).some(({ checked }) => checked)
  const isRefused = question && !['messages', 'payment', 'place'].includes(question)
  const all: FailureName[] = [
    ...(isChecked ? (['parameterError'] as const) : []),
    ...(H5 === 'missing' || frame === 'missing' ? (['notSupported'] as const) : []),
    ...(isRefused ? (['refused', 'inBackground'] as const) : []),
    ...fails,
  ]
  return [...new Set(all)]
}

function platformsOf({ H5, frame }: Entry): string[] {
  return [...(H5 === 'missing' ? [] : ['H5']), ...(frame === 'missing' ? [] : ['App', 'Mini App'])]
}

const listedPlatforms = (entry: Entry) => {
  const platforms = platformsOf(entry)
  return platforms.length === 3 ? 'all' : platforms.join(', ')
}

/** Returns where a function runs, and what the host asks. */
function facts({ H5, frame, method, capability, makesTempFiles }: Entry): string {
  const question = method && bridgeQuestions[method]
  const onH5 = H5 === 'missing' ? ' On H5, only `souk dev` has it.' : ''
  const inFrame = frame === 'missing' ? ' It needs the window of a browser.' : ''
  return page(
    `- **Platforms:** ${platformsOf({ H5, frame } as Entry).join(', ')}.${onH5}${inFrame}`,
    `- **Consent:** ${question ? questions[question] : 'The user is not asked.'}`,
    capability && `- **Capability:** The mini app needs \`${capability}\`.`,
    makesTempFiles &&
      '- **Temporary files:** It gives some, which are kept until the mini app is closed ([guide](/guides/neu-functions.md)).',
    '',
  )
}

/** Returns how a function differs from that of uni-app. */
function differences(name: string): string | undefined {
  const names = [name, ...functionsOn(name)]
  const texts = [...new Set(names.flatMap((each) => availableFunctions[each]!.differs ?? []))]
  const ignored = [...new Set(names.flatMap((each) => ignoredOptions(availableFunctions[each]!)))]
  if (texts.length === 0 && ignored.length === 0) return undefined
  return page(
    '## Differences from uni-app\n',
    ...texts.map((text) => `- In Souk: ${text}.`),
    ignored.length > 0 && `- Accepted without effect: ${code(ignored)}.`,
    '',
  )
}

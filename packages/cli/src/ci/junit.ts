import type { Step } from './step.ts'

/** Formats steps as JUnit XML, which pipelines show as tests. */
export function toJunit(steps: readonly Step[]): string {
  const count = (state: Step['state']) => steps.filter((step) => step.state === state).length
  const seconds = steps.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="souk ci" tests="${steps.length}" failures="${count('failed')}" skipped="${count('skipped')}" time="${seconds}">`,
    ...steps.map(testCase),
    '</testsuite>',
    '',
  ].join('\n')
}

function testCase({ name, state, text, milliseconds }: Step): string {
  const head = `  <testcase name="${name}" classname="souk" time="${milliseconds / 1000}"`
  if (state === 'skipped') return `${head}><skipped/></testcase>`
  if (state === 'failed')
    return `${head}><failure message="${escapeXml(text.split('\n', 1)[0]!)}">${escapeXml(text)}</failure></testcase>`
  return `${head}><system-out>${escapeXml(text)}</system-out></testcase>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}

/** Escapes a text, and leaves out the control characters that XML cannot contain. */
function escapeXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML cannot contain.
  return text.replace(/[\0-\x08\v\f\x0e-\x1f]/g, '').replace(/[&<>"\n]/g, (character) => entities[character]!)
}

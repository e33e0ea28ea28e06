import type { Context, MiniApp } from './context.ts'
import { refused, succeeded } from './expect.ts'
import type { OperationName, Parameters, Value } from './wire.ts'

/** One thing that a server must do. `run` throws when it does not. */
export interface Check {
  /** `topic/what`, unique. */
  id: string
  /** The section of the document that it comes from. */
  section: string
  title: string
  run(context: Context): Promise<void>
}

/** Names the checks of one topic: `check('vector', '4.1', 'the title', run)`. */
export function topic(name: string) {
  return (id: string, section: string, title: string, run: Check['run']): Check => ({
    id: `${name}/${id}`,
    section,
    title,
    run,
  })
}

/** What becomes of a request whose one parameter has this value; undefined leaves the parameter out. */
export interface Row {
  parameter: string
  value: Value | undefined
  /** Codes of the refusal with status 400; absent where the request is to succeed. */
  refusal?: readonly string[]
  why: string
}

const shown = (value: Value | undefined): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length <= 40 ? text : `${text.slice(0, 37)}… (${text.length} characters)`
}

/** A required parameter: refused when it is left out and when it is empty. */
export function required(parameter: string): Row[] {
  return [
    { parameter, value: undefined, refusal: ['parameter_missing'], why: 'it is required' },
    { parameter, value: '', refusal: ['parameter_missing', 'parameter_invalid'], why: 'it is required' },
  ]
}

/** A parameter that may be left out or empty. */
export function optional(parameter: string): Row[] {
  return [
    { parameter, value: undefined, why: 'it is optional' },
    { parameter, value: '', why: 'an optional value may be empty' },
  ]
}

/** Values that are taken. */
export function taken(parameter: string, ...values: Value[]): Row[] {
  return values.map((value) => ({ parameter, value, why: 'the value is allowed' }))
}

/** Values that are refused with 400 and the parameter's name. */
export function refusedValues(parameter: string, values: readonly Value[], code = 'parameter_invalid'): Row[] {
  return values.map((value) => ({
    parameter,
    value,
    refusal: [...new Set(['parameter_invalid', code])],
    why: 'the value is not allowed',
  }))
}

/**
 * One check per row: a request that is fine but for the one parameter. A refusal must name the parameter.
 *
 * @param base parameters of a request that succeeds; built anew for every row.
 */
export function rows(
  name: OperationName,
  section: string,
  base: (app: MiniApp) => Parameters | Promise<Parameters>,
  table: readonly (readonly Row[])[],
): Check[] {
  return table.flat().map(({ parameter, value, refusal, why }, index) => ({
    id: `${name}/${parameter}-${index + 1}`,
    section,
    title: `${parameter} ${shown(value)} ${refusal ? 'is refused' : 'is taken'}: ${why}`,
    run: async (context) => {
      const app = await context.app()
      const reply = await app.call(name, { ...(await base(app)), [parameter]: value })
      if (refusal) refused(reply, { status: 400, code: refusal, says: parameter })
      else succeeded(reply)
    },
  }))
}

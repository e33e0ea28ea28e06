import type { Context, MiniApp } from './context.ts'
import { expectError, expectSuccess } from './expect.ts'
import type { OperationName, Parameters, Value } from './wire.ts'

/** A requirement on a server. `run` throws if the server does not meet it. */
export interface Check {
  /** Unique, as in `trade/repeat`. */
  id: string
  /** The section of docs/spec/open-api.md. */
  section: string
  title: string
  run(context: Context): Promise<void>
}

/** Returns a function that creates the checks of a topic. */
export function topic(name: string) {
  return (id: string, section: string, title: string, run: Check['run']): Check => ({
    id: `${name}/${id}`,
    section,
    title,
    run,
  })
}

/** A value of one parameter in an otherwise valid request, and the expected result. */
export interface ParameterCase {
  parameter: string
  /** Undefined leaves the parameter out. */
  value: Value | undefined
  /** Allowed codes of the error with status 400. Undefined if the request must succeed. */
  errors?: readonly string[]
  reason: string
}

const describe = ({ parameter, value }: ParameterCase): string => {
  if (value === undefined) return `a request without ${parameter}`
  const text = `${parameter} ${JSON.stringify(value)}`
  return text.length <= 60 ? text : `${text.slice(0, 57)}… (${String(value).length} characters)`
}

/** Cases of a required parameter: rejected if it is missing or empty. */
export function required(parameter: string): ParameterCase[] {
  return [
    { parameter, value: undefined, errors: ['parameter_missing'], reason: 'the parameter is required' },
    { parameter, value: '', errors: ['parameter_missing', 'parameter_invalid'], reason: 'the parameter is required' },
  ]
}

/** Cases of an optional parameter: accepted if it is missing or empty. */
export function optional(parameter: string): ParameterCase[] {
  return [
    { parameter, value: undefined, reason: 'the parameter is optional' },
    { parameter, value: '', reason: 'an optional value may be empty' },
  ]
}

/** Cases of values that are accepted. */
export function accepted(parameter: string, ...values: Value[]): ParameterCase[] {
  return values.map((value) => ({ parameter, value, reason: 'the value is allowed' }))
}

/** Cases of values that are rejected with status 400 and the parameter's name. */
export function rejected(parameter: string, values: readonly Value[], code = 'parameter_invalid'): ParameterCase[] {
  return values.map((value) => ({
    parameter,
    value,
    errors: [...new Set(['parameter_invalid', code])],
    reason: 'the value is not allowed',
  }))
}

/**
 * Creates one check per case (open-api §4.3). An error must name the parameter.
 *
 * @param base returns the parameters of a valid request; called for every case
 */
export function parameterChecks(
  name: OperationName,
  base: (app: MiniApp) => Parameters | Promise<Parameters>,
  cases: readonly (readonly ParameterCase[])[],
): Check[] {
  return cases.flat().map((each, index) => ({
    id: `${name}/${each.parameter}-${index + 1}`,
    section: '4.3',
    title: `${describe(each)} is ${each.errors ? 'rejected' : 'accepted'}: ${each.reason}`,
    run: async (context) => {
      const { parameter, value, errors } = each
      const app = await context.app()
      const reply = await app.call(name, { ...(await base(app)), [parameter]: value })
      if (errors) expectError(reply, { status: 400, code: errors, message: parameter })
      else expectSuccess(reply)
    },
  }))
}

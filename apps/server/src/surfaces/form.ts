import { ParameterFault, parseForm, SoukError } from '@souk/contract'

/** Maximum number of parameters in a query string or a form, several times what any operation has. */
const maxParameters = 100

/** Parses a query string or a form. @throws SoukError `parameter_malformed`; ParameterFault */
export function parseParameters(form: string): Map<string, string> {
  // Checking the sign of thousands of parameters would take long.
  if (form.split('&', maxParameters + 1).length > maxParameters)
    throw new SoukError('parameter_malformed', `A request can have at most ${maxParameters} parameters.`)
  return parseForm(form)
}

/** Returns a fault of a parameter as a SoukError, and other errors unchanged. */
export function explainFault(error: unknown): unknown {
  if (!(error instanceof ParameterFault)) return error
  return new SoukError(error.code, `${error.reason.replace(/^the /, 'The ')}.`)
}

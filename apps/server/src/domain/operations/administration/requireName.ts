import { SoukError } from '@souk/contract'

/** Checks a name that was typed as confirmation. @throws SoukError `parameter_invalid` */
export function requireName(typed: string, name: string): void {
  if (typed.trim() === name.trim()) return
  throw new SoukError('parameter_invalid', `name must be ${name}.`, { data: { parameters: ['name'] } })
}

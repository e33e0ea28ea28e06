import { emailPattern, passwordLength } from '@souk/contract'
import { useCommon } from '../i18n/index.ts'

/** Returns whether a field has a value: neither white space nor an empty list. */
function isGiven(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  return Array.isArray(value) ? value.length > 0 : value != null
}

/** Returns validation rules for Vuetify fields: true or an error message. The server validates again. */
export function useRules() {
  const t = useCommon()
  const between = (limits: { min: number; max: number }) => (value: unknown) => {
    const { length } = String(value ?? '')
    return (length >= limits.min && length <= limits.max) || t('rule.length', limits)
  }
  return {
    required: (value: unknown) => isGiven(value) || t('rule.required'),
    /** Also rejects an empty text. */
    length: (max: number) => between({ min: 1, max }),
    newPassword: between(passwordLength),
    username: (value: unknown) => /^[A-Za-z0-9][A-Za-z0-9._@+-]{1,63}$/.test(String(value ?? '')) || t('rule.username'),
    /** Accepts an empty text. */
    email: (value: unknown) => !value || emailPattern.test(String(value).trim()) || t('rule.email'),
    /** Accepts an empty text. */
    address: (value: unknown) => !value || /^https?:\/\/\S+$/.test(String(value)) || t('rule.address'),
  }
}

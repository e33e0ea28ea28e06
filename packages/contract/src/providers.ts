import { type Static, type TObject, type TString, Type } from 'typebox'
import { descriptions } from './providers.generated.ts'
import { type PayType, payType } from './trade.ts'

/** An external payment provider, as its adapter's folder describes it. */
export interface ProviderDescription {
  title: string
  payType: keyof typeof payType
  /** Address of the provider's documentation. */
  docs: string
  /** The setting `baseUrl`, which every provider has. `description` says where to find it. */
  baseUrl: { default: string; description: string }
  /** Other fields of an account that can be shown again. */
  settings: Record<string, ProviderField>
  /** Fields of an account that cannot be shown again. */
  secrets: Record<string, ProviderField>
}

/** A field of a provider account. `title` is its label, `description` says where to find it. */
interface ProviderField {
  title: string
  description: string
  pattern?: string
  /** The values that match the pattern, such as "must be digits". */
  allowed?: string
}

type Descriptions = typeof descriptions
/** The name of a payment provider other than the sandbox. */
export type ExternalProvider = keyof Descriptions
export const externalProviderNames = Object.keys(descriptions) as ExternalProvider[]

/** A provider's name, as in `payment_attempts.provider`. */
export type Provider = ExternalProvider | 'sandbox'
export const providerNames: Provider[] = [...externalProviderNames, 'sandbox']

interface ProviderForm<Settings extends string, Secrets extends string> {
  title: string
  payType: PayType | null
  docs: string | null
  settings: TObject<Record<Settings, TString>>
  secrets: TObject<Record<Secrets, TString>>
}
type ProviderForms = {
  [P in ExternalProvider]: ProviderForm<
    'baseUrl' | (keyof Descriptions[P]['settings'] & string),
    keyof Descriptions[P]['secrets'] & string
  >
} & { sandbox: ProviderForm<never, never> }

/**
 * Payment providers with an adapter, and the fields of a provider account. `settings` can be shown again, `secrets`
 * cannot. `payType` is null if the provider supports all of them.
 */
export const providers = {
  ...Object.fromEntries(Object.entries(descriptions).map(([name, description]) => [name, formOf(description)])),
  sandbox: { title: 'Sandbox', payType: null, docs: null, settings: Type.Object({}), secrets: Type.Object({}) },
} as unknown as ProviderForms

/** Fields of a provider account. */
export type ProviderSettings<P extends Provider> = Static<ProviderForms[P]['settings']>
export type ProviderSecrets<P extends Provider> = Static<ProviderForms[P]['secrets']>

function formOf({ title, payType: type, docs, baseUrl, settings, secrets }: ProviderDescription) {
  const pattern = '^https?://[^\\s/?#@]+$'
  const allowed = 'must be an https URL without a path, such as https://api.example.com'
  const base = fieldOf({ title: 'Base URL', description: baseUrl.description, allowed })
  return {
    title,
    payType: payType[type],
    docs,
    settings: Type.Object({ baseUrl: { ...base, default: baseUrl.default, pattern }, ...mapFields(settings) }),
    secrets: Type.Object(mapFields(secrets)),
  }
}

function mapFields(fields: Record<string, ProviderField>): Record<string, TString> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldOf(field)]))
}

function fieldOf({ title, description, pattern, allowed = 'must be a string' }: ProviderField): TString {
  return Type.String({
    title,
    description,
    minLength: 1,
    maxLength: 500,
    'x-allowed': allowed,
    ...(pattern === undefined ? {} : { pattern }),
  })
}

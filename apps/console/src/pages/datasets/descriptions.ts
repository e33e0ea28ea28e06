import type { BuiltInDataset } from '@souk/contract'
import type { Result } from '../../api/client.ts'
import { useTexts } from '../../i18n/index.ts'
import type en from './locales/en.ts'

type Dataset = Pick<Result<'describeDataset'>, 'kind' | 'name' | 'description'>

/** Returns a function for the description of a dataset. Those of the platform are in the language of the page. */
export function useDescriptions() {
  const t = useTexts<typeof en>('datasets')
  return ({ kind, name, description }: Dataset) =>
    kind === 'builtIn' ? t(`builtIn.${name as BuiltInDataset}`) : description
}

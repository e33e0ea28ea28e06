import type { Result } from '../../api/client.ts'
import { findText } from '../../i18n/index.ts'

type Dataset = Pick<Result<'describeDataset'>, 'kind' | 'name' | 'description'>

/** Returns the description of a dataset; that of a built-in one that the page knows, in the language of the page. */
export const descriptionOf = ({ kind, name, description }: Dataset) =>
  (kind === 'builtIn' && findText('datasets', `builtIn.${name}`)) || description

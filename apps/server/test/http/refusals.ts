import { notFound, type Operation } from '@souk/contract'

/** Returns the error of an operation for a resource that does not exist. */
export function missingCode({ access }: Operation): string | undefined {
  return typeof access === 'object' && access.by !== 'anyProject' ? notFound[access.by] : undefined
}

/** Returns the error for a resource in another project; only projects and datasets are disclosed (open-api §5.1). */
export function foreignCode(operation: Operation): string | undefined {
  const { access } = operation
  const isDisclosed = typeof access === 'object' && (access.by === 'projectId' || access.by === 'datasetId')
  return isDisclosed ? 'permission_denied' : missingCode(operation)
}

import type { ParametersOf, platformOperations, ResultOf } from '@souk/contract'
import type { Shown } from './operations.ts'
import type { CallOptions } from './transport.ts'

type Operations = typeof platformOperations

/** Name of a platform data API operation. */
export type PlatformOperationName = keyof Operations

/** Parameters of an operation. An undefined one is not sent. */
export type PlatformParameters<N extends PlatformOperationName> = Shown<{
  [K in keyof ParametersOf<Operations[N]>]:
    | ParametersOf<Operations[N]>[K]
    | (undefined extends ParametersOf<Operations[N]>[K] ? undefined : never)
}>

/** The result of an operation. */
export type PlatformResult<N extends PlatformOperationName> = Shown<ResultOf<Operations[N]>>

/** Calls an operation with a JSON response. */
export type PlatformCall = <N extends PlatformOperationName>(
  name: N,
  parameters: PlatformParameters<N>,
  options?: CallOptions,
) => Promise<PlatformResult<N>>

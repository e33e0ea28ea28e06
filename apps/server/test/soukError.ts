import type { ErrorCode } from '@souk/contract'
import { expect } from 'vitest'

/** Matches an error with this code. */
export const soukError = (code: ErrorCode) => expect.objectContaining({ code })

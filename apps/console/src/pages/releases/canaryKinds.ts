import type { CanaryState } from '@souk/contract'

/** The kind of the chip that shows the state of a canary. */
export const canaryKinds = {
  running: 'info',
  paused: 'warning',
  halted: 'error',
  rolledBack: 'neutral',
  published: 'success',
} as const satisfies Record<CanaryState, string>

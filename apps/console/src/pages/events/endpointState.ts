import type { EventEndpointState } from '@souk/contract'

/** Chip kinds of the states of an endpoint. */
export const endpointKinds: Record<EventEndpointState, 'success' | 'warning' | 'neutral' | 'error'> = {
  enabled: 'success',
  failing: 'warning',
  failed: 'error',
  disabled: 'neutral',
  gone: 'error',
}

import { day } from '@souk/contract'

/** Time without an acknowledgement after which a receiver is shown as failing, in ms. */
export const failingAfter = day

/** Period of failed attempts, without an acknowledgement in between, after which a receiver is disabled, in ms. */
export const disabledAfter = 5 * day

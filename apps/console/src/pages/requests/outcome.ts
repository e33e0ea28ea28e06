/** Returns the chip kind of a response. */
export function outcomeOf({ status }: { status: number }): 'success' | 'error' {
  return status < 400 ? 'success' : 'error'
}

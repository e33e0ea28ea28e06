/** How an answer looks. */
export function outcomeOf({ status }: { status: number }): 'success' | 'error' {
  return status < 400 ? 'success' : 'error'
}

import { type ErrorCode, SoukError } from '@souk/contract'

const statementTimeout = '57014'

/**
 * Waits for a statement that reads as much as its caller asks for. Repeating one that has reached the time limit would
 * not help, so the caller is told with `code` what to ask for instead.
 */
export async function refuseTimeout<T>(statement: Promise<T>, code: ErrorCode): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if ((error as { code?: string }).code === statementTimeout) throw new SoukError(code)
    throw error
  }
}

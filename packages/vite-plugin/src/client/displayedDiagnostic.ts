/** A diagnostic of pages.json, as the build sends it to the page. */
export interface DisplayedDiagnostic {
  severity: 'error' | 'warning'
  code: string
  message: string
  /** Code frame as in the terminal, without colors. */
  frame: string
  /** Absolute path. */
  file: string
  line: number
  column: number
}

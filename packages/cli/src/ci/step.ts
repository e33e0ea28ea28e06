/** A step of `souk ci` that has run, or was skipped because an earlier one failed. */
export interface Step {
  readonly name: 'check' | 'build' | 'size' | 'upload' | 'submit'
  readonly state: 'passed' | 'failed' | 'skipped'
  /** The result, or the reason of the failure. */
  readonly text: string
  readonly milliseconds: number
}

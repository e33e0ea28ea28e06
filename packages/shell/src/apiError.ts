/**
 * The error that functions of `neu` reject with or pass to `fail`. Some have more properties, such as `statusCode` or
 * `failCode`. In H5 builds of uni-app projects they are plain objects without `message`, as in uni-app.
 */
export class ApiError extends Error {
  /** `<function>:fail <reason>`, for example `navigateTo:fail page "a/b" is not found`. */
  errMsg: string

  constructor(errMsg: string, details?: object) {
    super(errMsg)
    this.errMsg = errMsg
    Object.assign(this, details)
  }
}

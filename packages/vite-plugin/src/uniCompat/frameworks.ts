/** A framework whose projects Souk builds. Its packages are named after it, such as `@dcloudio/uni-app`. */
export interface Framework {
  /** Scope of its packages. */
  readonly scope: string
  /** Part of their names. */
  readonly name: string
  /** Plug-ins for Vite of others that do what the framework's own does. */
  readonly plugins?: readonly string[]
}

/** A framework of this list needs no other change: everything else that names packages reads it. */
export const frameworks: readonly Framework[] = [
  { scope: '@dcloudio', name: 'uni', plugins: ['@uni-helper/plugin-uni'] },
  { scope: '@neuxnet', name: 'neu' },
  { scope: '@neuxnet', name: 'uni' },
]

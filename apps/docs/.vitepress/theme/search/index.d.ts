declare module '@localSearchIndex' {
  /** Loads the index of a locale, as JSON of MiniSearch. */
  const indexes: Record<string, () => Promise<{ default: string }>>
  export default indexes
}

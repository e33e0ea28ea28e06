/** What is wrong with pages.json right now; made by the build. */
declare module 'virtual:souk-diagnostics' {
  const shown: readonly import('./diagnostics.ts').DisplayedDiagnostic[]
  export default shown
}

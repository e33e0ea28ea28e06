import type { Plugin } from 'vite'

/** What the build asks about projects that were written for another framework; `uniCompat` answers. */
export interface Compat {
  /** Plug-ins that see sources after conditional comments. */
  readonly beforeVue: Plugin[]
  /** Plug-ins that see the JavaScript that Vue's compiler writes. */
  readonly afterVue: Plugin[]
  /** Packages that are parts of the runtime. */
  readonly runtimePackages: readonly string[]
  /** Environment variables that plug-ins, configuration files and pages of such projects read. */
  variables(): Record<string, string>
  /** @throws VueVersionError if the project only runs on Vue 2 */
  assertVue3(): void
  /** Checks for a PostCSS configuration of the framework's webpack build, whose plug-ins Souk replaces. */
  hasWebpackStyles(): boolean
  /** Checks if the framework has variables for the colors of pages. */
  hasColorVariables(): boolean
  /** Checks if the framework puts the link of a navigator around it instead of into it. */
  putsLinksOutside(): boolean
}

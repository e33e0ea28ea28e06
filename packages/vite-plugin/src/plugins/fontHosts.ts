import type { Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'

/** Warns about fonts from other servers, which live installations block until the host is approved (ADR 281). */
export function fontHosts(app: MiniApp): Plugin {
  return {
    name: 'souk:font-hosts',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        // H5 releases may run anywhere.
        if (app.platform === 'H5') return
        const hosts = new Set(
          Object.values(bundle).flatMap((file) =>
            file.type === 'asset' && file.fileName.endsWith('.css') ? hostsOfFonts(String(file.source)) : [],
          ),
        )
        if (hosts.size === 0) return
        this.warn(
          `Styles load fonts from ${[...hosts].sort().join(', ')}. Live installations block hosts that are not approved: add them under Hosts in the console, where an administrator approves them, or copy the fonts into the project.`,
        )
      },
    },
  }
}

/** Returns the hosts of fonts in a style sheet. */
function hostsOfFonts(css: string): string[] {
  // ReDoS: the developer's own files.
  const fonts = css.match(/@font-face\s*\{[^}]*\}/gi) ?? []
  return fonts.flatMap((font) =>
    [...font.matchAll(/url\(\s*["']?(?:https?:)?\/\/([^/"')?#]+)/gi)].map(([, host]) => host!),
  )
}

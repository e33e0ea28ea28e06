import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import compile from 'icu-minify/compile'
import type { Plugin } from 'vite'

type Tree = { readonly [name: string]: string | Tree }
type CompiledTree = { [name: string]: ReturnType<typeof compile> | CompiledTree }

/**
 * Compiles the ICU messages of a module of texts.
 *
 * @throws SyntaxError with the key of a message that is not valid
 */
export function compileTexts(texts: Tree): CompiledTree {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => {
      if (typeof text !== 'string') return [key, compileTexts(text)]
      try {
        return [key, compile(text)]
      } catch (cause) {
        throw new SyntaxError(`${key} is not an ICU message: ${text}`, { cause })
      }
    }),
  )
}

/** Compiles the texts in `locales` folders, so that browsers do not load a parser of ICU messages. */
export function compiledTexts(): Plugin {
  return {
    name: 'souk-compiled-texts',
    load: {
      filter: { id: /\/locales\/[\w-]+\.ts$/ },
      async handler(id) {
        // A changed file is another module to Node.
        const module = await import(`${pathToFileURL(id)}?${statSync(id).mtimeMs}`)
        return `export default ${JSON.stringify(compileTexts(module.default))}`
      },
    },
  }
}

import { expect, test } from 'vitest'
import { readPages, variantFor } from '../config.ts'
import { platforms } from '../diagnostic.ts'
import { asObject, type Json } from '../parse/nodes.ts'
import { hasTitleOnColor } from './navigationBar.ts'
import { createContext, layersOf, resolveStyle } from './resolve.ts'

/** Undefined stands for an absent key. Some values are invalid. */
const choices: Record<string, (Json | undefined)[]> = {
  navigationStyle: [undefined, 'default', 'custom', 'unknown'],
  transparentTitle: [undefined, 'none', 'auto', 3],
  titleImage: [undefined, '', 'a.png'],
  titleNView: [
    undefined,
    false,
    true,
    3,
    {},
    { type: 'transparent' },
    { type: 'unknown' },
    { backgroundImage: 'a.png' },
    { titleText: 'A' },
  ],
}

/** Returns an object for each combination of the values. */
function combine(keys: readonly string[]): Record<string, Json>[] {
  const [key, ...others] = keys
  if (key === undefined) return [{}]
  const rest = combine(others)
  return choices[key]!.flatMap((value) => rest.map((each) => (value === undefined ? each : { ...each, [key]: value })))
}

test('hasTitleOnColor says of every style what its resolved values say', () => {
  const styles = combine(Object.keys(choices)).flatMap(({ titleNView, ...style }) =>
    titleNView === undefined
      ? [style]
      : ['h5', 'app-plus', 'app'].map((key): Record<string, Json> => ({ ...style, [key]: { titleNView } })),
  )
  const pages = styles.map((style, index) => ({ path: `pages/${index}`, style }))
  const globalStyle = { 'app-plus': { titleNView: { type: 'transparent' } }, transparentTitle: 'always' }
  for (const config of [readPages(JSON.stringify({ pages })), readPages(JSON.stringify({ pages, globalStyle }))]) {
    for (const platform of platforms) {
      const target = createContext(config, { platform })
      for (const { style, path } of variantFor(config, platform).model.pages) {
        const values = resolveStyle(target, { style })
        const bar = asObject(values[platform === 'H5' ? 'h5' : 'app-plus'])?.titleNView
        const { type = 'default', backgroundImage } = asObject(bar) ?? {}
        const hasBar = values.navigationStyle !== 'custom' && bar !== false
        const isPlain = type === 'default' && backgroundImage === undefined
        const hasText = (values.transparentTitle ?? 'none') === 'none' && (values.titleImage ?? '') === ''
        const actual = hasTitleOnColor({ target, table: 'pageStyle', layers: layersOf(target, style) })
        expect([platform, styles[Number(path.slice(6))], actual]).toEqual([
          platform,
          styles[Number(path.slice(6))],
          hasBar && isPlain && hasText,
        ])
      }
    }
  }
})

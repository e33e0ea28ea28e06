import postcss from 'postcss'
import type { Plugin } from 'vite'
import { isStyle } from '../../plugins/styles.ts'
import { withDeepFunction } from '../../styles/selectors.ts'

/**
 * Replaces `::v-deep` before Vue limits styles to their component, but after preprocessors: in SCSS a selector inside
 * it may begin with `&__`.
 */
export function deepSelectors(): Plugin {
  return {
    name: 'souk:deep-selectors',
    transform: {
      filter: { id: /[?&]type=style\b/, code: /::v-deep/ },
      handler(code, id) {
        if (!isStyle(id)) return undefined
        const root = postcss.parse(code, { from: id.replace(/\?.*/, '') })
        root.walkRules((rule) => {
          rule.selectors = rule.selectors.map(withDeepFunction)
        })
        return { code: root.toString(), map: null }
      },
    },
  }
}

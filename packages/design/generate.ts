import { tokensCss } from './src/css.ts'

/** Generates `tokens.css` from `tokens.ts`. */
export default function generate(): Record<string, string> {
  return { 'packages/design/src/tokens.css': tokensCss() }
}

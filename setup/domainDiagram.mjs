// Draws the imports between domains into ARCHITECTURE.md.
import { readFileSync } from 'node:fs'
import { drawDomains, readSources } from './importLaw.mjs'

export default function generate() {
  const text = readFileSync('ARCHITECTURE.md', 'utf8')
  const diagram = drawDomains(readSources())
  return { 'ARCHITECTURE.md': text.replace(/(?<=```mermaid\n).*?(?=\n```)/s, () => diagram) }
}

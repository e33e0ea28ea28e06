import { tags } from '@souk/tags/tags'

/** What editors know of tags, which follows from their table. */
export default function generate(): Record<string, string> {
  return {
    'packages/vite-plugin/editor/tags.json': `${JSON.stringify(
      tags.map(({ tag }) => tag),
      null,
      2,
    )}\n`,
    'packages/vite-plugin/editor/client.d.ts': client(),
  }
}

function client(): string {
  const components = tags.map(({ tag, component }) => {
    const name = tag.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
    return `    ${name}: ${component ? `Tag<typeof tags.${component}>` : 'Children'}`
  })
  return `// What the pages of a mini app find without an import, for editors and vue-tsc. Written from the table of tags: npm run generate.
/// <reference types="vite/client" />
/// <reference types="@souk/runtime/constants" />
import type { EventChannel, Neu } from '@souk/runtime'
import type * as tags from '@souk/tags'

/** A tag's component, which hands on the events of its element: \`@tap\`, \`@change\`, and whatever else. */
type Tag<Component extends new (...args: never) => { $props: object; $slots: object }> = new () => {
  $props: InstanceType<Component>['$props'] & Listeners
  $slots: InstanceType<Component>['$slots']
}
// biome-ignore lint/suspicious/noExplicitAny: what an event brings is for its tag to say
type Listeners = { [name: \`on\${string}\`]: ((event: any) => unknown) | undefined }
type Children = new () => { $props: object; $slots: { default(): unknown } }

declare module 'vue' {
  interface GlobalComponents {
${components.join('\n')}
  }
  interface ComponentCustomProperties {
    neu: Neu
    uni: Neu
    /** To the page that has opened this one by \`neu.navigateTo\`. */
    getOpenerEventChannel(): EventChannel | undefined
  }
}
`
}

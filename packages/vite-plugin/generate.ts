import { tags } from '@souk/tags/tags'

/** Generates the editor files from the table of tags. */
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
  return `// Global types of mini app pages, for editors and vue-tsc. Generated from the table of tags by \`npm run generate\`.
/// <reference types="vite/client" />
/// <reference types="@souk/runtime/constants" />
import type { EventChannel, Neu } from '@souk/runtime'
import type * as tags from '@souk/tags'

/** A tag's component, which forwards all events of its element, such as \`@tap\` and \`@change\`. */
type Tag<Component extends new (...args: never) => { $props: object; $slots: object }> = new () => {
  $props: InstanceType<Component>['$props'] & Listeners
  $slots: InstanceType<Component>['$slots']
}
// biome-ignore lint/suspicious/noExplicitAny: the event type depends on the tag
type Listeners = { [name: \`on\${string}\`]: ((event: any) => unknown) | undefined }
type Children = new () => { $props: object; $slots: { default(): unknown } }

declare module 'vue' {
  interface GlobalComponents {
${components.join('\n')}
  }
  interface ComponentCustomProperties {
    neu: Neu
    uni: Neu
    /** Returns the channel to the page that opened this one with \`neu.navigateTo\`. */
    getOpenerEventChannel(): EventChannel | undefined
  }
}
`
}

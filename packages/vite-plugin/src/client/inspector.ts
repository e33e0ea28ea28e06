import type { Inspection } from '@souk/host-view/inspector'
import type { AppConfig } from '@souk/shell/config'
import { h, type VNode } from 'vue'

/** The inspector of the device page. */
export interface OpenInspector {
  observer: Inspection
  close(): void
  render(events: { onRestart(): void; onClose(): void }): VNode
}

const isDark = matchMedia('(prefers-color-scheme: dark)')

/** Loads the inspector, with the pages.json that is served now. */
export async function openInspector({ platform, os }: AppConfig): Promise<OpenInspector> {
  const [{ createInspection, createRecords, Inspector }, response] = await Promise.all([
    import('@souk/host-view/inspector'),
    fetch('/pages.json'),
  ])
  const records = createRecords()
  const observer = createInspection(records.add)
  const pages = { text: await response.text(), platform, os }
  return {
    observer,
    close: () => observer.close(),
    render: (events) =>
      h(
        Inspector,
        {
          records,
          pages,
          language: navigator.language,
          theme: isDark.matches ? 'dark' : 'light',
          onCommand: observer.send,
          ...events,
        },
        { backend: backendNote },
      ),
  }
}

/** Renders the command for the request log: it is for members of the project, and the page has no account. */
const backendNote = () =>
  h('p', { class: 'souk-inspector-empty' }, [
    'Requests of the backend, with the diagnosis of a wrong sign: ',
    h('code', `souk requests${__SOUK_APPID__ ? ` --appid ${__SOUK_APPID__}` : ''}`),
  ])

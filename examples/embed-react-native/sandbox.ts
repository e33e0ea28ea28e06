/** Signs the first mock user of a sandbox in. Your application asks its own backend for a session. */
export function createSandbox(server: string) {
  const request = async (path: string, options?: RequestInit) =>
    (await fetch(`${server}/host/v1${path}`, options)).json()
  return {
    async signIn(): Promise<string> {
      const [{ uid }] = await request('/sandbox/users')
      const headers = { 'Content-Type': 'application/json' }
      return (await request('/sessions', { method: 'POST', headers, body: JSON.stringify({ uid }) })).session
    },
    async findApp(name: string, session: string): Promise<string> {
      const { items }: { items: { name: string; appid: string }[] } = await request(
        `/apps?query=${encodeURIComponent(name)}`,
        { headers: { Authorization: `Bearer ${session}` } },
      )
      const app = items.find((each) => each.name === name)
      if (!app) throw new Error(`There is no mini app ${name}.`)
      return app.appid
    },
  }
}

import { createHost } from '@souk/host'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'

const server = import.meta.env.VITE_SOUK_URL ?? 'http://localhost:7070'
const call = async (path: string, request?: RequestInit) => (await fetch(`${server}/host/v1${path}`, request)).json()
// Signs a mock user in. Your backend does it for your users.
async function session() {
  const body = JSON.stringify({ uid: (await call('/sandbox/users'))[0].uid })
  return (await call('/sessions', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })).session
}
createHost({ server, session })
const { items } = await call('/apps?query=Souk%20Coffee', { headers: { Authorization: `Bearer ${await session()}` } })

function Coffee() {
  const [appid, setAppid] = useState(items[0].appid)
  return appid && <souk-mini-app appid={appid} onclose={() => setAppid('')} />
}
createRoot(document.getElementById('app') as HTMLElement).render(<Coffee />)

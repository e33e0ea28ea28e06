import { Hono } from 'hono'
import { settleOrder } from './orders.ts'
import { souk } from './souk.ts'

const receive = souk.callbacks.web(settleOrder)

export const app = new Hono()

app.post('/souk/callback', (context) => receive(context.req.raw))

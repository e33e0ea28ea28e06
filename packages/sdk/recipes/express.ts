import express from 'express'
import { settleOrder } from './orders.ts'
import { souk } from './souk.ts'

export const app = express()

// Body parsers may run before or after the callback handler.
app.use(express.json())

app.post('/souk/callback', souk.callbacks.node(settleOrder))

import express from 'express'
import { settleOrder } from './orders.ts'
import { souk } from './souk.ts'

export const app = express()

// Parsers may stand in front of the callback or behind it.
app.use(express.json())

app.post('/souk/callback', souk.callbacks.node(settleOrder))

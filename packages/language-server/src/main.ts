#!/usr/bin/env node
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node'
import { serve } from './server.ts'

const usage = `usage: souk-language-server --stdio

The language server for pages.json, started by editors. Transports: --stdio, --node-ipc,
--socket=PORT or --pipe=NAME.
`

const transports = /^--(?:stdio|node-ipc|socket(?:=.*)?|pipe(?:=.*)?)$/
if (process.argv.slice(2).some((argument) => transports.test(argument))) {
  const connection = createConnection(ProposedFeatures.all)
  serve(connection)
  connection.listen()
} else {
  process.stderr.write(usage)
  process.exitCode = process.argv.includes('--help') ? 0 : 2
}

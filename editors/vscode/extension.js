// Starts the language server with the user's settings. The server does everything else.
const { join } = require('node:path')
const { workspace } = require('vscode')
const { LanguageClient, TransportKind } = require('vscode-languageclient/node')

let client

exports.activate = async () => {
  const settings = workspace.getConfiguration('souk.pages')
  const server = { module: join(__dirname, 'server.mjs'), transport: TransportKind.stdio }
  client = new LanguageClient('souk-pages-json', 'pages.json', server, {
    documentSelector: [
      { scheme: 'file', pattern: '**/pages.json' },
      { scheme: 'untitled', pattern: '**/pages.json' },
    ],
    initializationOptions: {
      targets: settings.get('targets'),
      renameFiles: settings.get('renameFiles'),
      provideFormatter: false,
    },
  })
  await client.start()
}

exports.deactivate = () => client?.stop()

// Starts the language server with the user's settings. The server does everything else.
const { workspace } = require('vscode')
const { LanguageClient, TransportKind } = require('vscode-languageclient/node')

let client

exports.activate = async () => {
  const settings = workspace.getConfiguration('souk.pages')
  const server = { module: require.resolve('@souk/language-server/dist/main.js'), transport: TransportKind.stdio }
  client = new LanguageClient('souk-pages-json', 'pages.json', server, {
    documentSelector: [
      { scheme: 'file', pattern: '**/pages.json' },
      { scheme: 'untitled', pattern: '**/pages.json' },
    ],
    initializationOptions: { targets: settings.get('targets'), renameFiles: settings.get('renameFiles') },
  })
  await client.start()
}

exports.deactivate = () => client?.stop()

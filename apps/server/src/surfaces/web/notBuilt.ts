import { noncePlaceholder } from './policy.ts'

/** Returns the page at `/<name>/` of a web application, or of the documentation, that has not been built. */
export function notBuiltPage(name: string, title = name): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>The ${title} is not built · Souk</title>
    <style nonce="${noncePlaceholder}">
      :root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif }
      main { max-width: 36rem; margin: 15vh auto; padding: 0 1.5rem }
      code { font-size: 1.05em }
    </style>
  </head>
  <body>
    <main>
      <h1>The ${title} is not built</h1>
      <p>The server and its APIs are running. Build the ${title} with <code>npm start</code>, or with
        <code>npm run build -w apps/${name}</code> and restart the server.</p>
    </main>
  </body>
</html>
`
}

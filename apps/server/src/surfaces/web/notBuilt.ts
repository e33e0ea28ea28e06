import { noncePlaceholder } from './policy.ts'

/** Returns the page of a web application, or of the documentation, that has not been built. */
export function notBuiltPage(title: string): string {
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
      <p>The server and its APIs are running. Stop it and run <code>npm start</code> again: it builds the ${title}, or prints
        why it cannot.</p>
    </main>
  </body>
</html>
`
}

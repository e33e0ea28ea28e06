import type { Command } from 'commander'
import { Failure } from '../failure.ts'
import type { Session } from '../session.ts'

/** Options of a client at an OpenID provider. */
export interface ClientOptions {
  clientId: string
  clientSecretFile?: string
  scope?: string[]
}

/** Adds the options of a client at an OpenID provider. */
export function addClientOptions(command: Command): Command {
  return command
    .requiredOption('--client-id <id>', 'client id at the provider')
    .option('--client-secret-file <file>', 'file with the client secret; - for the standard input')
    .option('--scope <names...>', 'scopes in addition to openid (default: profile email)')
}

/** Returns the parameters of a client. The secret comes from a file, so that no shell history contains it. */
export async function readClient({ environment }: Session, { clientId, clientSecretFile, scope }: ClientOptions) {
  const secret =
    clientSecretFile === undefined
      ? undefined
      : clientSecretFile === '-'
        ? await environment.readStdin()
        : await environment.readFile(clientSecretFile)
  // Souk would sign in as a client without a secret instead.
  if (secret?.trim() === '')
    throw new Failure(2, `${clientSecretFile === '-' ? 'Standard input' : clientSecretFile} contains no client secret.`)
  return {
    clientId,
    ...(secret === undefined ? {} : { clientSecret: secret.trim() }),
    ...(scope === undefined ? {} : { scopes: scope }),
  }
}

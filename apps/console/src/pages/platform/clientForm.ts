/** Input for a client at an OpenID provider. An empty secret means a public client. */
export interface ClientForm {
  name: string
  clientId: string
  clientSecret: string
  scopes: string[]
}

export const emptyClient = (): ClientForm => ({
  name: '',
  clientId: '',
  clientSecret: '',
  scopes: ['profile', 'email'],
})

/** Returns the parameters of an operation that registers the client. Optional fields that are empty are left out. */
export function parametersOf({ name, clientId, clientSecret, scopes }: ClientForm) {
  return { name: name.trim(), clientId: clientId.trim(), ...(clientSecret === '' ? {} : { clientSecret }), scopes }
}

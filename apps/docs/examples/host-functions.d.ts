// Written by Souk from host-functions.json.
interface NeuHostFunctions {
  /** Returns the loyalty card of the user. */
  loyaltyCard(input: { program: string }): Promise<{ number: string }>
}

/** Trusted Types forbid plain strings as script addresses; this policy admits exactly one. */
export function trustScript(policy: string, address: string): string {
  const rules = {
    createScriptURL: (url: string) => {
      if (url !== address) throw new TypeError(`Only ${address} may be loaded`)
      return url
    },
  }
  const trusted = window.trustedTypes?.createPolicy(policy, rules).createScriptURL(address)
  return (trusted ?? address) as unknown as string
}

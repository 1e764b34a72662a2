/**
 * Trusted Types forbid plain strings as addresses of scripts; a policy of its own lets exactly one
 * through.
 */
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

import { useEffect, useState } from 'react'

/** Words that an attacker would try first for everybody here. */
const ours = ['rupa', 'foto', 'kredit']

/** Data is dear on some connections; the hint is not worth it there. */
function isDear(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean; effectiveType?: string } }
  return connection?.saveData === true || ['slow-2g', '2g', '3g'].includes(connection?.effectiveType ?? '')
}

/**
 * How hard a password is to guess, 0 to 4; null while unknown. A hint only: what refuses are the
 * rules of `#contract/password.ts`.
 */
export function useStrength(password: string, about: string[] = []): number | null {
  const [strength, setStrength] = useState<number | null>(null)
  const known = about.join('\n')
  useEffect(() => {
    if (password === '' || isDear()) {
      setStrength(null)
      return
    }
    let current = true
    // Once the fingers rest, for an estimate takes a phone some time.
    const timer = setTimeout(() => {
      import('../password-strength.ts').then(
        ({ estimateStrength }) =>
          current && setStrength(estimateStrength(password, [...ours, ...known.split(/[\n\s@.]+/)])),
        () => current && setStrength(null),
      )
    }, 200)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [password, known])
  return strength
}

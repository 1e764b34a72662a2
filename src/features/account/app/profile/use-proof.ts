import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { ApiError } from '#client/api.ts'
import { errorText } from '#client/errors.ts'
import { confirmationAtom, type Sensitive } from '../confirmation.ts'
import { type Proof, profileQuery } from '../profile-api.ts'
import { problemText } from '../validation.ts'

/** The proof that a dialog collects; one that came back with this very page is taken up at once. */
export function useProof(purpose: Sensitive) {
  const { t, i18n } = useLingui()
  const { data: profile } = useQuery(profileQuery)
  const [returned, setReturned] = useAtom(confirmationAtom)
  const [proof, setProof] = useState<Proof | null>(null)
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    if (returned?.purpose !== purpose) return
    setProof({ confirmation: returned.confirmation })
    setReturned(null)
  }, [returned, purpose, setReturned])
  return {
    proof,
    problem,
    setProblem,
    show(shown: Proof | null): void {
      setProof(shown)
      setProblem(undefined)
    },
    /** The proof, or null after telling that it is missing. */
    demand(): Proof | null {
      if (proof) return proof
      const required = problemText('password.required', (message) => i18n._(message))
      setProblem(profile?.hasPassword === false ? t`Konfirmasi dulu bahwa ini kamu.` : required)
      return null
    },
    /**
     * Whether the error was about the proof; it is then shown under it. A confirmation counts once,
     * so it is asked for again.
     */
    refused(error: unknown): boolean {
      const about =
        error instanceof ApiError &&
        (['auth.wrong_password', 'auth.confirmation_invalid'].includes(error.code) ||
          'currentPassword' in error.details)
      if (about) setProblem(errorText(error))
      setProof((now) => (now && 'confirmation' in now ? null : now))
      return about
    },
  }
}

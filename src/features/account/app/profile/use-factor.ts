import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#client/api.ts'
import { errorText } from '#client/errors.ts'
import { askForPasskey, type ShownFactor } from '../api.ts'
import { secondFactorQuery } from '../second-factor-api.ts'

/** When a second factor is asked for: each time, or where this session has shown none yet. */
export type FactorNeed = 'always' | 'unless-shown' | 'never'

/** The second factor that a dialog collects beside the password, where the account has one. */
export function useFactor(need: FactorNeed) {
  const { t } = useLingui()
  const { data: security } = useQuery({ ...secondFactorQuery, enabled: need !== 'never' })
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const totp = security?.totp === true
  const passkey = (security?.passkeys.length ?? 0) > 0 && 'PublicKeyCredential' in window
  const due = (totp || passkey) && (need === 'always' || (need === 'unless-shown' && security?.shown === false))
  return {
    due,
    totp,
    passkey,
    code,
    problem,
    setCode(text: string): void {
      setCode(text)
      setProblem(undefined)
    },
    /** What is shown, or null after telling that it is missing. A passkey is asked for here. */
    async show(): Promise<ShownFactor | null> {
      if (!due) return {}
      if (totp && code.trim() !== '') return { code: code.trim() }
      if (passkey) return { passkey: await askForPasskey() }
      setProblem(t`Tulis kodenya dulu.`)
      return null
    },
    /** Whether the error was about the factor; it is then shown under it. */
    refused(error: unknown): boolean {
      const about =
        error instanceof ApiError &&
        ['second_factor.wrong_code', 'second_factor.proof_due', 'passkey.refused'].includes(error.code)
      if (about) setProblem(errorText(error))
      return about
    },
  }
}

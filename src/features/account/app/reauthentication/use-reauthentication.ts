import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtom } from 'jotai'
import { useEffect } from 'react'
import { useForm } from '#ui/form.tsx'
import { promptForPasskey, type ShownFactor } from '../api.ts'
import { formTexts } from '../form-texts.ts'
import { type Credential, profileQuery, secondFactorQuery } from '../profile-api.ts'
import { confirmationAtom, type Purpose } from '../provider-window.ts'

export type FactorNeed = 'always' | 'unless-shown' | 'never'

const blank = { email: '', password: '', confirmPassword: '', currentPassword: '', confirmation: '', code: '' }
type Values = typeof blank

const fieldOfError: Record<string, keyof Values> = {
  'auth.wrong_password': 'currentPassword',
  'auth.confirmation_invalid': 'confirmation',
  'second_factor.wrong_code': 'code',
  'second_factor.proof_due': 'code',
  'passkey.refused': 'code',
}

/** A form for actions that need the password (or a provider's confirmation) and a second factor. */
export function useReauthentication({
  purpose,
  factor: need = 'never',
  check,
  send,
}: {
  purpose: Purpose
  factor?: FactorNeed
  check?: (values: Values) => Record<string, string | null>
  send: (credential: Credential & ShownFactor, values: Values) => Promise<unknown>
}) {
  const { t } = useLingui()
  const { data: profile } = useQuery(profileQuery)
  const { data: security } = useQuery({ ...secondFactorQuery, enabled: need !== 'never' })
  const [returned, setReturned] = useAtom(confirmationAtom)
  const hasPassword = profile?.hasPassword !== false
  const due = need === 'always' || (need === 'unless-shown' && security?.shown === false)
  const factor = {
    totp: due && security?.totp === true,
    passkey: due && (security?.passkeys.length ?? 0) > 0 && 'PublicKeyCredential' in window,
  }

  const form = useForm({
    defaultValues: blank,
    texts: { ...formTexts, confirmation: t`Konfirmasi dulu bahwa ini kamu.`, code: t`Tulis kodenya dulu.` },
    fieldForError: ({ code }) => fieldOfError[code],
    check: (values) => ({
      ...check?.(values),
      currentPassword: hasPassword && values.currentPassword === '' ? 'password.required' : null,
      confirmation: !hasPassword && values.confirmation === '' ? 'confirmation' : null,
      code: factor.totp && !factor.passkey && values.code.trim() === '' ? 'code' : null,
    }),
    send: async (values) => {
      const { currentPassword, confirmation } = values
      const code = values.code.trim()
      try {
        const shown = code !== '' ? { code } : factor.passkey ? { passkey: await promptForPasskey() } : {}
        await send({ ...(hasPassword ? { password: currentPassword } : { confirmation }), ...shown }, values)
      } catch (error) {
        if (error instanceof Error && error.name === 'NotAllowedError') return
        // A confirmation is valid once.
        form.setValue('confirmation', '')
        throw error
      }
    },
  })
  const { setValue, clearErrors } = form
  const confirm = (confirmation: string) => {
    setValue('confirmation', confirmation)
    clearErrors('confirmation')
  }
  useEffect(() => {
    if (returned?.purpose !== purpose) return
    setValue('confirmation', returned.confirmation)
    setReturned(null)
  }, [returned, purpose, setReturned, setValue])
  return { ...form, purpose, factor, confirm }
}

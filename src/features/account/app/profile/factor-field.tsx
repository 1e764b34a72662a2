import { useLingui } from '@lingui/react/macro'
import { TextField } from '#ui/field.tsx'
import type { useFactor } from './use-factor.ts'

/** Asks for the second factor: a code is typed, the browser asks for a passkey afterwards. */
export function FactorField({ factor }: { factor: ReturnType<typeof useFactor> }) {
  const { t } = useLingui()
  if (!factor.due) return null
  if (factor.totp) {
    return (
      <TextField
        label={t`Kode autentikator atau kode pemulihan`}
        hint={factor.passkey ? t`Kosongkan untuk memakai kunci sandi` : undefined}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        error={factor.problem}
        value={factor.code}
        onChange={({ target }) => factor.setCode(target.value)}
      />
    )
  }
  return (
    <div className="grid gap-2">
      <p className="text-muted text-sm leading-relaxed">{t`Setelah itu, perangkatmu meminta kunci sandimu.`}</p>
      {factor.problem && (
        <p role="alert" className="font-medium text-error text-sm">
          {factor.problem}
        </p>
      )}
    </div>
  )
}

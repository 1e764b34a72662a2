import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { Link } from 'wouter'
import { Button } from '#ui/button.tsx'
import { PasswordField } from '#ui/field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { providersQuery } from '../api.ts'
import { keepPurpose, type Sensitive } from '../confirmation.ts'
import { type Proof, profileQuery } from '../profile-api.ts'
import { ProviderMark } from '../provider-buttons.tsx'
import { callbackProblem, providerNames } from '../provider-texts.ts'
import { openProvider, useProviderMessages } from '../provider-window.ts'

/**
 * Asks for the password or, from people without one, for a sign-in with their provider. What was
 * shown so far is `proof`; it is null as long as there is nothing.
 */
export function ProofFields({
  purpose,
  proof,
  error,
  onProof,
}: {
  purpose: Sensitive
  proof: Proof | null
  error: string | undefined
  onProof: (proof: Proof | null) => void
}) {
  const { t } = useLingui()
  const { data: profile } = useQuery(profileQuery)
  const { data: configured } = useQuery(providersQuery)
  useProviderMessages((message) => {
    if (message.type === 'auth-confirmation') onProof({ confirmation: message.confirmation })
    if (message.type === 'auth-error') showSnackbar('error', callbackProblem(message.code))
  })
  if (!profile) return <Skeleton className="h-11" />
  if (profile.hasPassword) {
    return (
      <PasswordField
        label={t`Kata sandi saat ini`}
        autoComplete="current-password"
        showLabel={t`Tampilkan kata sandi saat ini`}
        hideLabel={t`Sembunyikan kata sandi saat ini`}
        value={proof && 'password' in proof ? proof.password : ''}
        error={error}
        onChange={({ target }) => onProof(target.value === '' ? null : { password: target.value })}
      />
    )
  }
  if (proof) {
    return (
      <p role="status" className="flex items-center gap-2 font-medium text-success">
        <CircleCheck aria-hidden className="size-5" />
        {t`Terkonfirmasi. Kamu bisa melanjutkan.`}
      </p>
    )
  }
  const usable = profile.providers.filter((provider) => configured?.[provider])
  return (
    <div className="grid gap-3">
      <p className="text-muted text-sm leading-relaxed">
        {usable.length > 0
          ? t`Akunmu belum punya kata sandi. Konfirmasi dulu bahwa ini kamu.`
          : t`Akunmu belum punya kata sandi. Buat dulu lewat email, lalu kembali ke sini.`}
      </p>
      {usable.map((provider) => {
        const name = providerNames[provider]
        return (
          <Button
            key={provider}
            variant="outline"
            icon={<ProviderMark provider={provider} />}
            onClick={() => openProvider(provider, { purpose: 'confirm' }, () => keepPurpose(purpose))}
          >
            {t`Konfirmasi dengan ${name}`}
          </Button>
        )
      })}
      {usable.length === 0 && (
        <Link to="/logout" className="font-semibold text-primary-ink underline">
          {t`Keluar, lalu pilih “Lupa kata sandi?”`}
        </Link>
      )}
      {error && (
        <p role="alert" className="font-medium text-error text-sm">
          {error}
        </p>
      )}
    </div>
  )
}

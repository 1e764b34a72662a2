import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { Link } from 'wouter'
import { Button } from '#ui/button.tsx'
import { PasswordField, TextField } from '#ui/field.tsx'
import { FormProblem } from '#ui/form.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { Provider } from '../../rules.ts'
import { providersQuery } from '../api.ts'
import { profileQuery } from '../profile-api.ts'
import { ProviderMark } from '../provider-buttons.tsx'
import { callbackProblem, providerNames } from '../provider-texts.ts'
import { openProvider, useProviderMessages } from '../provider-window.ts'
import { keepPurpose } from './confirmation.ts'
import type { useReauthentication } from './use-reauthentication.ts'

interface Props {
  form: ReturnType<typeof useReauthentication>
}

/** The password or, for people without one, a provider's confirmation; and the second factor. */
export function ReauthenticationFields({ form }: Props) {
  const { t } = useLingui()
  const { data: profile } = useQuery(profileQuery)
  useProviderMessages((message) => {
    if (message.type === 'auth-confirmation') form.confirm(message.confirmation)
    if (message.type === 'auth-error') showSnackbar('error', callbackProblem(message.code))
  })
  if (!profile) return <Skeleton className="h-11" />
  return (
    <>
      {profile.hasPassword ? (
        <PasswordField
          label={t`Kata sandi saat ini`}
          autoComplete="current-password"
          {...form.field('currentPassword')}
        />
      ) : (
        <Confirmation form={form} providers={profile.providers} />
      )}
      <SecondFactor form={form} />
    </>
  )
}

function Confirmation({ form, providers }: Props & { providers: Provider[] }) {
  const { t } = useLingui()
  const { data: configured } = useQuery(providersQuery)
  if (form.watch('confirmation') !== '') {
    return (
      <p role="status" className="flex items-center gap-2 font-medium text-success">
        <CircleCheck aria-hidden className="size-5" />
        {t`Terkonfirmasi. Kamu bisa melanjutkan.`}
      </p>
    )
  }
  const usable = providers.filter((provider) => configured?.[provider])
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
            onClick={() => openProvider(provider, { purpose: 'confirm' }, () => keepPurpose(form.purpose))}
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
      <FormProblem>{form.errorOf('confirmation')}</FormProblem>
    </div>
  )
}

/** A code is typed; the browser asks for a passkey afterwards. */
function SecondFactor({ form }: Props) {
  const { t } = useLingui()
  const { totp, passkey } = form.factor
  if (totp) {
    return (
      <TextField
        label={t`Kode autentikator atau kode pemulihan`}
        hint={passkey ? t`Kosongkan untuk memakai kunci sandi` : undefined}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('code')}
      />
    )
  }
  if (!passkey) return null
  return (
    <div className="grid gap-2">
      <p className="text-muted text-sm leading-relaxed">{t`Setelah itu, perangkatmu meminta kunci sandimu.`}</p>
      <FormProblem>{form.errorOf('code')}</FormProblem>
    </div>
  )
}

import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Button } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { PasswordField, TextField } from '#ui/field.tsx'
import { Form, FormProblem } from '#ui/form.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { type Provider, providerNames } from '../../rules.ts'
import { providersQuery, type ShownFactor } from '../api.ts'
import { type Credential, profileQuery } from '../profile-api.ts'
import { ProviderMark } from '../provider-buttons.tsx'
import { callbackProblem, openProvider, storeConfirmationPurpose, useProviderMessages } from '../provider-window.ts'
import { WrongClockNote } from '../wrong-clock-note.tsx'
import { type FactorNeed, useReauthentication } from './use-reauthentication.ts'

interface Props {
  children: ReactNode
  /** Of the action itself. */
  fields?: ReactNode
  action: string
  variant?: 'primary' | 'danger'
  factor?: FactorNeed
  send: (credential: Credential & ShownFactor) => Promise<void>
}

export function ReauthenticationForm({ children, fields, action, variant = 'primary', factor, send }: Props) {
  const form = useReauthentication({ purpose: 'security', factor, send })
  return (
    <Form form={form} action={action} variant={variant}>
      {fields}
      <p className="text-muted leading-relaxed">{children}</p>
      <ReauthenticationFields form={form} />
    </Form>
  )
}

export function ReauthenticationDialog({
  open,
  onClose,
  title,
  ...form
}: Props & { open: boolean; onClose: () => void; title: string }) {
  return (
    <BottomSheet open={open} onClose={onClose} title={title}>
      <ReauthenticationForm
        {...form}
        send={async (credential) => {
          await form.send(credential)
          onClose()
        }}
      />
    </BottomSheet>
  )
}

interface FieldsProps {
  form: ReturnType<typeof useReauthentication>
}

/** Asks for the password or, if there is none, a provider's confirmation; and the second factor. */
export function ReauthenticationFields({ form }: FieldsProps) {
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

function Confirmation({ form, providers }: FieldsProps & { providers: Provider[] }) {
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
            onClick={() => openProvider(provider, { purpose: 'confirm' }, () => storeConfirmationPurpose(form.purpose))}
          >
            <ProviderMark provider={provider} /> {t`Konfirmasi dengan ${name}`}
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

function SecondFactor({ form }: FieldsProps) {
  const { t } = useLingui()
  const { totp, passkey } = form.factor
  if (totp) {
    return (
      <>
        <TextField
          label={t`Kode autentikator atau kode pemulihan`}
          hint={passkey ? t`Kosongkan untuk memakai kunci sandi` : undefined}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          {...form.field('code')}
        />
        <WrongClockNote error={form.failure} />
      </>
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

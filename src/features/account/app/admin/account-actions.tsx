import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatNumber, parseNumber } from '#client/format.ts'
import { maxCredits, maxDays } from '#features/credits/rules.ts'
import type { Duty } from '#shared/roles.ts'
import { DialogButton } from '#ui/admin/dialogs.tsx'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { ActRefusal, useActRefusal, usePermission } from '#ui/admin/permissions.tsx'
import { adminQuery } from '#ui/admin/queries.ts'
import { PasswordField, SelectField, TextAreaField, TextField } from '#ui/field.tsx'
import type { AdminUserDetail, UserSummary } from '../../admin/schemas.ts'
import { linkMails, noteMax, tagMax, tagsMax } from '../../rules.ts'
import { dutyLabels, roleLabels } from './contributions.ts'

export const summaryQuery = (id: string) => adminQuery<UserSummary>(`users/${id}/summary`)

interface TaskProps {
  user: AdminUserDetail
}

const signed = (direction: string, amount: ReturnType<typeof parseNumber>) =>
  direction === 'take' && typeof amount === 'number' ? -amount : amount

/** A request repeated after a lost connection applies once. */
function CreditsDialog({ user }: TaskProps) {
  const { t } = useLingui()
  const balance = useQuery(summaryQuery(user.id)).data?.credits ?? 0
  const [key] = useState(() => crypto.randomUUID())
  const takes = ({ direction }: { direction: string }) => direction === 'take'
  return (
    <FormDialog
      reason
      title={t`Atur kredit ${user.name}`}
      confirm={(values) => (takes(values) ? t`Ambil kredit` : t`Beri kredit`)}
      danger={takes}
      successMessage={t`Kredit sudah diatur.`}
      values={{ direction: 'give', amount: '', days: '90' }}
      change={({ direction, amount, days }) => ({
        path: 'credit_adjustments',
        headers: { 'idempotency-key': key },
        json: { userId: user.id, amount: signed(direction, parseNumber(amount)), days: parseNumber(days) },
      })}
      texts={{
        amount: t`Bilangan bulat selain 0, paling banyak ${formatNumber(maxCredits)}`,
        days: t`1 sampai ${formatNumber(maxDays)} hari`,
        'credits.insufficient': t`Saldonya tidak sebanyak itu`,
      }}
    >
      {({ field, watch }) => {
        const after = balance + (Number(signed(watch('direction'), parseNumber(watch('amount')))) || 0)
        return (
          <>
            <SelectField
              label={t`Tindakan`}
              choices={{ give: t`Beri kredit`, take: t`Ambil kredit` }}
              {...field('direction')}
            />
            <div className="grid grid-cols-2 items-start gap-3">
              <TextField label={t`Jumlah`} inputMode="numeric" {...field('amount')} />
              <TextField label={t`Berlaku (hari)`} inputMode="numeric" readOnly={after < balance} {...field('days')} />
            </div>
            <p className="text-sm tabular-nums">
              {after < 0 || after === balance
                ? t`Saldo ${formatNumber(balance)}`
                : t`Saldo ${formatNumber(balance)} menjadi ${formatNumber(after)}`}
            </p>
          </>
        )
      }}
    </FormDialog>
  )
}

const isDuty = (role: string): role is Duty => role in dutyLabels

function RoleDialog({ user }: TaskProps) {
  const { t } = useLingui()
  return (
    <FormDialog
      reason
      title={t`Ubah peran ${user.name}`}
      text={t`Semua sesinya berakhir. Pengguna ini harus masuk lagi dengan peran barunya.`}
      successMessage={t`Peran sudah diubah.`}
      values={{ role: user.duty ?? user.role }}
      change={({ role }) => {
        const json = isDuty(role) ? { role: 'admin', duty: role } : { role, duty: null }
        return { path: `users/${user.id}`, method: 'PATCH', json }
      }}
    >
      {({ field }) => <SelectField label={t`Peran`} choices={{ ...roleLabels, ...dutyLabels }} {...field('role')} />}
    </FormDialog>
  )
}

function AccessDialog({ user }: TaskProps) {
  const { t } = useLingui()
  const { id, name, disabled } = user
  return (
    <FormDialog
      reason
      title={disabled ? t`Aktifkan ${name}?` : t`Nonaktifkan ${name}?`}
      text={
        disabled
          ? t`Pengguna ini bisa masuk lagi. Kredit dan hasilnya masih ada.`
          : t`Semua sesinya berakhir dan pengguna ini tidak bisa masuk. Kredit dan hasilnya tetap tersimpan.`
      }
      confirm={disabled ? t`Aktifkan akun` : t`Nonaktifkan`}
      danger={!disabled}
      successMessage={disabled ? t`Akun sudah aktif lagi.` : t`Akun sudah nonaktif.`}
      change={{ path: `users/${id}`, method: 'PATCH', json: { disabled: !disabled } }}
    />
  )
}

function SecurityDialog({ user: { id, name }, call }: TaskProps & { call: 'reset_factors' | 'end_sessions' }) {
  const { t } = useLingui()
  const words =
    call === 'reset_factors'
      ? {
          title: t`Setel ulang langkah kedua ${name}?`,
          text: t`Aplikasi autentikator dan semua kunci sandinya dihapus, semua sesinya berakhir, dan pengguna ini diberi tahu lewat email. Pastikan dulu bahwa dia sendiri yang meminta.`,
          confirm: t`Setel ulang langkah kedua`,
          successMessage: t`Langkah kedua sudah disetel ulang.`,
        }
      : {
          title: t`Akhiri semua sesi ${name}?`,
          text: t`Pengguna ini keluar dari semua perangkat dan diberi tahu lewat email. Foto yang menunggu di perangkatnya tetap ada.`,
          confirm: t`Akhiri sesi`,
          successMessage: t`Semua sesinya sudah berakhir.`,
        }
  return (
    <FormDialog
      {...words}
      reason
      danger
      values={{ password: '' }}
      change={(json) => ({ path: `users/${id}/${call}`, json })}
      texts={{ 'password.required': t`Tulis kata sandimu` }}
    >
      {({ field }) => (
        <PasswordField label={t`Kata sandimu sendiri`} autoComplete="current-password" {...field('password')} />
      )}
    </FormDialog>
  )
}

function NoteDialog({ user }: TaskProps) {
  const { t } = useLingui()
  return (
    <FormDialog
      title={t`Catatan tentang ${user.name}`}
      text={t`Hanya dibaca staf, dan ikut dalam data yang diunduh pengguna sendiri.`}
      successMessage={t`Catatan tersimpan.`}
      values={{ note: user.note, tags: user.tags.join(', ') }}
      change={({ note, tags }) => {
        const words = tags.split(',').map((tag) => tag.trim())
        return { path: `users/${user.id}/note`, method: 'PUT', json: { note, tags: words.filter(Boolean) } }
      }}
      texts={{ tags: t`Paling banyak ${tagsMax}, masing-masing sampai ${tagMax} huruf` }}
    >
      {({ field }) => (
        <>
          <TextAreaField label={t`Catatan`} rows={5} maxLength={noteMax} {...field('note')} />
          <TextField label={t`Label`} hint={t`Dipisah koma, misalnya studio, prioritas`} {...field('tags')} />
        </>
      )}
    </FormDialog>
  )
}

function LinkDialog({ user: { id, name, verified } }: TaskProps) {
  const { t } = useLingui()
  const choices = { verify_email: t`Verifikasi alamat email`, reset_password: t`Buat kata sandi baru` }
  const offered = linkMails.filter((mail) => !verified || mail !== 'verify_email')
  return (
    <FormDialog
      reason
      title={t`Kirim tautan ke ${name}?`}
      text={t`Tautannya hanya dikirim ke alamat akun ini.`}
      confirm={t`Kirim`}
      successMessage={t`Tautan sedang dikirim.`}
      values={{ template: offered[0] ?? '' }}
      change={(json) => ({ path: `users/${id}/mails`, json })}
    >
      {({ field }) => (
        <SelectField
          label={t`Tautan`}
          choices={Object.fromEntries(offered.map((mail) => [mail, choices[mail]]))}
          {...field('template')}
        />
      )}
    </FormDialog>
  )
}

function AgeDialog({ user: { id, name } }: TaskProps) {
  const { t } = useLingui()
  return (
    <FormDialog
      reason
      title={t`Tanyakan lagi tahun lahir ${name}?`}
      text={t`Untuk tahun yang salah ketik. Sampai diisi lagi, pengguna ini tidak bisa memulai apa pun. Staf tidak bisa mengisinya, dan tidak bisa memberi izin sebagai wali.`}
      confirm={t`Tanyakan lagi`}
      successMessage={t`Pengguna ini ditanya lagi.`}
      change={(json) => ({ path: `users/${id}/ask_age`, json })}
    />
  )
}

export function AccountActions({ user, summary }: { user: AdminUserDetail; summary: UserSummary | undefined }) {
  const { t } = useLingui()
  const may = usePermission()
  const { totp, passkeys } = user.factors
  const hasSessions = summary !== undefined && summary.sessions.length > 0
  const refusal = useActRefusal()(user)
  if (refusal) return <ActRefusal>{refusal}</ActRefusal>
  return (
    <div className="flex flex-wrap gap-2">
      {may('credits') && (
        <DialogButton variant="primary" dialog={<CreditsDialog user={user} />}>{t`Atur kredit`}</DialogButton>
      )}
      {may('help') && <DialogButton dialog={<NoteDialog user={user} />}>{t`Catatan`}</DialogButton>}
      {may('help') && !user.disabled && (
        <DialogButton dialog={<LinkDialog user={user} />}>{t`Kirim tautan`}</DialogButton>
      )}
      {may('control') && <DialogButton dialog={<RoleDialog user={user} />}>{t`Ubah peran`}</DialogButton>}
      {may('control') && (
        <DialogButton dialog={<AccessDialog user={user} />}>
          {user.disabled ? t`Aktifkan akun` : t`Nonaktifkan`}
        </DialogButton>
      )}
      {may('control') && (totp || passkeys > 0) && (
        <DialogButton
          dialog={<SecurityDialog user={user} call="reset_factors" />}
        >{t`Setel ulang langkah kedua`}</DialogButton>
      )}
      {may('control') && user.age.band === 'minor' && (
        <DialogButton dialog={<AgeDialog user={user} />}>{t`Tanyakan tahun lahir`}</DialogButton>
      )}
      {may('help') && hasSessions && (
        <DialogButton dialog={<SecurityDialog user={user} call="end_sessions" />}>{t`Akhiri sesi`}</DialogButton>
      )}
    </div>
  )
}

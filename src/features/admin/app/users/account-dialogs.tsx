import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatNumber } from '#client/format.ts'
import type { Role } from '#contract/roles.ts'
import type { AdminUserDetail } from '#features/account/admin/types.ts'
import { maxCredits, maxDays } from '#features/credits/rules.ts'
import { ReasonDialog } from '#ui/admin/reason-dialog.tsx'
import { Field, PasswordField, TextField } from '#ui/field.tsx'
import { paths } from '../calls.ts'
import { roleWords } from '../words.ts'

/** What can be done about an account. */
export type AccountTask = 'credits' | 'role' | 'access' | 'factors' | 'sessions'

interface TaskProps {
  user: AdminUserDetail
  balance: number
  onClose: () => void
}

/** Grants credits, or takes some back; asked twice by a bad connection, it counts once. */
function CreditsDialog({ user, balance, onClose }: TaskProps) {
  const { t } = useLingui()
  const [amount, setAmount] = useState('')
  const [days, setDays] = useState('90')
  const [key] = useState(() => crypto.randomUUID())
  const change = Number(amount)
  const after = Number.isFinite(change) ? balance + change : balance
  return (
    <ReasonDialog
      title={t`Atur kredit ${user.name}`}
      confirm={change < 0 ? t`Ambil kredit` : t`Beri kredit`}
      danger={change < 0}
      said={t`Kredit sudah diatur.`}
      request={(reason) => ({
        path: '/api/admin/credit_adjustments',
        headers: { 'idempotency-key': key },
        // What is no number becomes null, which the server refuses beside the field.
        json: {
          userId: user.id,
          amount: amount === '' ? null : change,
          days: days === '' ? null : Number(days),
          reason,
        },
      })}
      sentences={{
        amount: t`Bilangan bulat selain 0, paling banyak ${formatNumber(maxCredits)}`,
        days: t`1 sampai ${formatNumber(maxDays)} hari`,
      }}
      known={{ 'credits.insufficient': t`Saldonya tidak sebanyak itu` }}
      onClose={onClose}
    >
      {(problemOf) => (
        <>
          <div className="grid grid-cols-2 items-start gap-3">
            <TextField
              label={t`Jumlah`}
              hint={t`Negatif untuk mengambil`}
              error={problemOf('amount')}
              inputMode="numeric"
              value={amount}
              onChange={(event) => setAmount(event.target.value.replace(/[^\d-]/g, ''))}
            />
            <TextField
              label={t`Berlaku (hari)`}
              error={problemOf('days')}
              inputMode="numeric"
              disabled={change < 0}
              value={days}
              onChange={(event) => setDays(event.target.value.replace(/\D/g, ''))}
            />
          </div>
          <p className="tabular-nums text-sm">
            {after < 0 || after === balance
              ? t`Saldo ${formatNumber(balance)}`
              : t`Saldo ${formatNumber(balance)} menjadi ${formatNumber(after)}`}
          </p>
        </>
      )}
    </ReasonDialog>
  )
}

function RoleDialog({ user, onClose }: TaskProps) {
  const { i18n, t } = useLingui()
  const [role, setRole] = useState<Role>(user.role)
  return (
    <ReasonDialog
      title={t`Ubah peran ${user.name}`}
      text={t`Semua sesinya berakhir. Pengguna ini harus masuk lagi dengan peran barunya.`}
      confirm={t`Simpan`}
      said={t`Peran sudah diubah.`}
      request={(reason) => ({ path: `${paths.users}/${user.id}`, method: 'PATCH', json: { role, reason } })}
      onClose={onClose}
    >
      {() => (
        <Field label={t`Peran`}>
          {(ids) => (
            <select
              {...ids}
              className="select w-full"
              value={role}
              onChange={(event) => setRole(event.target.value as Role)}
            >
              {(['user', 'designer', 'admin'] as const).map((value) => (
                <option key={value} value={value}>
                  {i18n._(roleWords[value])}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </ReasonDialog>
  )
}

function AccessDialog({ user, onClose }: TaskProps) {
  const { t } = useLingui()
  return (
    <ReasonDialog
      title={user.disabled ? t`Aktifkan ${user.name}?` : t`Nonaktifkan ${user.name}?`}
      text={
        user.disabled
          ? t`Pengguna ini bisa masuk lagi. Kredit dan hasilnya masih ada.`
          : t`Semua sesinya berakhir dan pengguna ini tidak bisa masuk. Kredit dan hasilnya tetap tersimpan.`
      }
      confirm={user.disabled ? t`Aktifkan akun` : t`Nonaktifkan`}
      danger={!user.disabled}
      said={user.disabled ? t`Akun sudah aktif lagi.` : t`Akun sudah nonaktif.`}
      request={(reason) => ({
        path: `${paths.users}/${user.id}`,
        method: 'PATCH',
        json: { disabled: !user.disabled, reason },
      })}
      onClose={onClose}
    />
  )
}

/** What is done to an account by an admin who shows that it is them. */
function SecurityDialog({
  user,
  call,
  onClose,
  ...words
}: TaskProps & { call: 'reset_factors' | 'end_sessions'; title: string; text: string; confirm: string; said: string }) {
  const { t } = useLingui()
  const [password, setPassword] = useState('')
  return (
    <ReasonDialog
      {...words}
      danger
      request={(reason) => ({ path: `${paths.users}/${user.id}/${call}`, json: { reason, password } })}
      sentences={{ password: t`Tulis kata sandimu` }}
      onClose={onClose}
    >
      {(problemOf) => (
        <PasswordField
          label={t`Kata sandimu sendiri`}
          autoComplete="current-password"
          error={problemOf('password')}
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
      )}
    </ReasonDialog>
  )
}

function FactorsDialog(props: TaskProps) {
  const { t } = useLingui()
  const { name } = props.user
  return (
    <SecurityDialog
      {...props}
      call="reset_factors"
      title={t`Reset langkah kedua ${name}?`}
      text={t`Aplikasi autentikator dan semua kunci sandinya dihapus, semua sesinya berakhir, dan pengguna ini diberi tahu lewat email. Pastikan dulu bahwa dia sendiri yang meminta.`}
      confirm={t`Reset langkah kedua`}
      said={t`Langkah kedua sudah direset.`}
    />
  )
}

function SessionsDialog(props: TaskProps) {
  const { t } = useLingui()
  const { name } = props.user
  return (
    <SecurityDialog
      {...props}
      call="end_sessions"
      title={t`Akhiri semua sesi ${name}?`}
      text={t`Pengguna ini keluar dari semua perangkat dan diberi tahu lewat email. Foto yang menunggu di perangkatnya tetap ada.`}
      confirm={t`Akhiri sesi`}
      said={t`Semua sesinya sudah berakhir.`}
    />
  )
}

const dialogs = {
  credits: CreditsDialog,
  role: RoleDialog,
  access: AccessDialog,
  factors: FactorsDialog,
  sessions: SessionsDialog,
}

export function AccountDialog({ task, ...props }: TaskProps & { task: AccountTask }) {
  const Task = dialogs[task]
  return <Task {...props} />
}

import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useParams, useSearch } from 'wouter'
import { formatDateTime, formatNumber, formatRupiah } from '#client/format.ts'
import type { AdminUserDetail } from '#features/account/admin/types.ts'
import { Badge } from '#ui/admin/badge.tsx'
import { useListAddress } from '#ui/admin/list-address.ts'
import { Loaded } from '#ui/admin/loaded.tsx'
import { AdminPage, Code, Facts, Nothing, Panel } from '#ui/admin/page.tsx'
import { LinkTabs } from '#ui/admin/tabs.tsx'
import { Button } from '#ui/button.tsx'
import type { UserSummary } from '../../types.ts'
import { summaryQuery, userQuery } from '../calls.ts'
import { useCrumb } from '../frame/crumbs.tsx'
import { LedgerTable } from '../ledger/ledger-table.tsx'
import { OrdersTable } from '../orders/orders-table.tsx'
import { roleWords } from '../words.ts'
import type { AccountTask } from './account-dialogs.tsx'
import { AccountState } from './account-state.tsx'

const AccountDialog = lazy(async () => ({ default: (await import('./account-dialogs.tsx')).AccountDialog }))

const hasFactors = ({ factors }: AdminUserDetail) => factors.totp || factors.passkeys > 0

function Overview({ user, summary }: { user: AdminUserDetail; summary: UserSummary | undefined }) {
  const { i18n, t } = useLingui()
  return (
    <Panel title={t`Akun`}>
      <Facts
        items={[
          [t`Email`, user.email],
          [t`Status`, <AccountState key="state" user={user} />],
          [t`Peran`, i18n._(roleWords[user.role])],
          [
            t`Langkah kedua`,
            [
              user.factors.totp && t`Aplikasi autentikator`,
              user.factors.passkeys > 0 && t`${formatNumber(user.factors.passkeys)} kunci sandi`,
            ]
              .filter(Boolean)
              .join(' · ') || t`Belum ada`,
          ],
          [t`Bergabung`, formatDateTime(user.createdAt)],
          summary && [
            t`Kredit`,
            <span key="credits" className="tabular-nums">
              {formatNumber(summary.credits)}
            </span>,
          ],
          summary?.unlimitedUntil && [t`Tanpa batas sampai`, formatDateTime(summary.unlimitedUntil)],
          summary && [t`Pesanan lunas`, `${formatNumber(summary.paidOrders)} · ${formatRupiah(summary.paidIdr)}`],
          summary && [
            t`Pembuatan`,
            t`${formatNumber(summary.generations)} · ${formatNumber(summary.failedGenerations)} gagal`,
          ],
          summary?.lastGenerationAt && [t`Pembuatan terakhir`, formatDateTime(summary.lastGenerationAt)],
          summary && summary.claims > 0 && [t`Klaim`, formatNumber(summary.claims)],
          ['ID', <Code key="id">{user.id}</Code>],
        ]}
      />
    </Panel>
  )
}

function Sessions({ sessions }: { sessions: UserSummary['sessions'] }) {
  const { t } = useLingui()
  return (
    <Panel title={t`Sesi yang masih terbuka`}>
      {sessions.length === 0 ? (
        <Nothing>{t`Tidak ada sesi terbuka.`}</Nothing>
      ) : (
        <ul>
          {sessions.map(({ id, device, lastSeenAt, secondFactor }) => (
            <li key={id} className="flex items-center gap-3 border-line border-b px-4 py-2.5 last:border-0">
              <span className="flex-1">
                <span className="block font-semibold">{device ?? t`Perangkat tidak dikenal`}</span>
                <span className="text-muted text-xs">{t`Terakhir dipakai ${formatDateTime(lastSeenAt)}`}</span>
              </span>
              {secondFactor && <Badge tone="good">{t`Dua langkah`}</Badge>}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Changes({ changes }: Pick<AdminUserDetail, 'changes'>) {
  const { i18n, t } = useLingui()
  return (
    <Panel title={t`Perubahan oleh admin`}>
      {changes.length === 0 ? (
        <Nothing>{t`Belum pernah diubah.`}</Nothing>
      ) : (
        <ol>
          {changes.toReversed().map(({ createdAt, before, after, reason }) => (
            <li key={createdAt} className="border-line border-b px-4 py-2.5 last:border-0">
              <p className="font-semibold">
                {before.role !== after.role && `${i18n._(roleWords[before.role])} → ${i18n._(roleWords[after.role])}`}
                {before.disabled !== after.disabled && (after.disabled ? t`Dinonaktifkan` : t`Diaktifkan kembali`)}
              </p>
              <p>{reason}</p>
              <p className="text-muted text-xs">{formatDateTime(createdAt)}</p>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

function Tabs({ current }: { current: string }) {
  const { t } = useLingui()
  const { href } = useListAddress()
  const tabs = [
    ['', t`Ringkasan`],
    ['kredit', t`Riwayat kredit`],
    ['pesanan', t`Pesanan`],
  ] as const
  return (
    <LinkTabs
      label={t`Bagian`}
      tabs={tabs.map(([tab, name]) => ({ id: tab, name, to: href({ tab }) }))}
      current={current}
    />
  )
}

/** /admin/users/{id}: an account with what it has and what can be done about it. */
export function UserScreen() {
  const { t } = useLingui()
  const { id = '' } = useParams()
  const tab = new URLSearchParams(useSearch()).get('tab') ?? ''
  const query = useQuery(userQuery(id))
  const { data: summary } = useQuery(summaryQuery(id))
  const [task, setTask] = useState<AccountTask | null>(null)
  const user = query.data
  useCrumb(query.error ? id.slice(-8) : user?.name)
  if (!user) {
    return (
      <AdminPage title={t`Pengguna`}>
        <Loaded query={query}>{() => null}</Loaded>
      </AdminPage>
    )
  }
  return (
    <AdminPage
      title={user.name}
      actions={
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" onClick={() => setTask('credits')}>{t`Atur kredit`}</Button>
          <Button variant="outline" onClick={() => setTask('role')}>{t`Ubah peran`}</Button>
          <Button variant="outline" onClick={() => setTask('access')}>
            {user.disabled ? t`Aktifkan akun` : t`Nonaktifkan`}
          </Button>
          {hasFactors(user) && (
            <Button variant="outline" onClick={() => setTask('factors')}>{t`Reset langkah kedua`}</Button>
          )}
          {summary && summary.sessions.length > 0 && (
            <Button variant="outline" onClick={() => setTask('sessions')}>{t`Akhiri sesi`}</Button>
          )}
        </div>
      }
    >
      <Tabs current={tab} />
      {tab === 'kredit' && <LedgerTable fixed={{ userId: id }} />}
      {tab === 'pesanan' && <OrdersTable fixed={{ user: id }} />}
      {tab === '' && (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <Overview user={user} summary={summary} />
          <div className="grid gap-4">
            {summary && <Sessions sessions={summary.sessions} />}
            <Changes changes={user.changes} />
          </div>
        </div>
      )}
      {task && (
        <Suspense fallback={null}>
          <AccountDialog task={task} user={user} balance={summary?.credits ?? 0} onClose={() => setTask(null)} />
        </Suspense>
      )}
    </AdminPage>
  )
}

import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { useParams } from 'wouter'
import { formatDateTime, formatNumber, formatRupiah } from '#client/format.ts'
import type { GuardianState } from '#shared/age.ts'
import { AdminPage, useCrumb } from '#ui/admin/page.tsx'
import { adminQuery } from '#ui/admin/queries.ts'
import { Badge } from '#ui/lists/cells.tsx'
import { useListParams } from '#ui/lists/list-params.ts'
import { Code, Detail, Details, Panel, Rows } from '#ui/lists/panel.tsx'
import { Loaded } from '#ui/lists/query-state.tsx'
import { LinkTabs } from '#ui/lists/tabs.tsx'
import type { AccountStatus as AccountStatusView, AdminUserDetail, UserSummary } from '../../admin/schemas.ts'
import { AccountActions, summaryQuery } from './account-actions.tsx'
import { bandLabels, dutyLabels, roleLabels } from './contributions.ts'
import { AccountStatus, Tags } from './users-screen.tsx'

/** Contributed by another feature. */
export interface UserTab {
  id: string
  name: string
  Content: ComponentType<{ user: AdminUserDetail }>
}

function Account({ user, summary }: { user: AdminUserDetail; summary: UserSummary | undefined }) {
  const { i18n, t } = useLingui()
  const { totp, passkeys } = user.factors
  const factors = [totp && t`Aplikasi autentikator`, passkeys > 0 && t`${formatNumber(passkeys)} kunci sandi`]
  const guardianTexts: Record<GuardianState, string> = {
    not_needed: '',
    unnamed: t`orang tua atau wali belum disebut`,
    waiting: t`menunggu izin orang tua atau wali`,
    given: t`diizinkan orang tua atau wali`,
  }
  const generations =
    summary && t`${formatNumber(summary.generations)} · ${formatNumber(summary.failedGenerations)} gagal`
  return (
    <Panel title={t`Akun`}>
      <Details>
        <Detail name={t`Email`}>{user.email}</Detail>
        <Detail name={t`Status`}>
          <AccountStatus user={user} />
        </Detail>
        <Detail name={t`Peran`}>{i18n._(user.duty ? dutyLabels[user.duty] : roleLabels[user.role])}</Detail>
        <Detail name={t`Usia`}>
          {[i18n._(bandLabels[user.age.band]), guardianTexts[user.age.guardian]].filter(Boolean).join(' · ')}
        </Detail>
        <Detail name={t`Label`}>{user.tags.length > 0 && <Tags tags={user.tags} />}</Detail>
        <Detail name={t`Catatan`}>{user.note && <span className="whitespace-pre-line">{user.note}</span>}</Detail>
        <Detail name={t`Langkah kedua`}>{factors.filter(Boolean).join(' · ') || t`Belum ada`}</Detail>
        <Detail name={t`Bergabung`}>{formatDateTime(user.createdAt)}</Detail>
        <Detail name={t`Kredit`}>{summary && formatNumber(summary.credits)}</Detail>
        <Detail name={t`Tanpa batas sampai`}>
          {summary?.unlimitedUntil && formatDateTime(summary.unlimitedUntil)}
        </Detail>
        <Detail name={t`Pesanan lunas`}>
          {summary && `${formatNumber(summary.paidOrders)} · ${formatRupiah(summary.paidIdr)}`}
        </Detail>
        <Detail name={t`Pembuatan`}>{generations}</Detail>
        <Detail name={t`Pembuatan terakhir`}>
          {summary?.lastGenerationAt && formatDateTime(summary.lastGenerationAt)}
        </Detail>
        <Detail name={t`Permintaan kredit kembali`}>
          {summary && summary.refundRequests > 0 && formatNumber(summary.refundRequests)}
        </Detail>
        <Detail name="ID">
          <Code>{user.id}</Code>
        </Detail>
      </Details>
    </Panel>
  )
}

function Sessions({ sessions }: Pick<UserSummary, 'sessions'>) {
  const { t } = useLingui()
  return (
    <Panel title={t`Sesi yang masih terbuka`}>
      <Rows
        empty={t`Tidak ada sesi terbuka.`}
        rows={sessions.map(({ id, device, lastSeenAt, secondFactor }) => ({
          key: id,
          title: device ?? t`Perangkat tidak dikenal`,
          note: t`Terakhir dipakai ${formatDateTime(lastSeenAt)}`,
          end: secondFactor && <Badge tone="good">{t`Dua langkah`}</Badge>,
        }))}
      />
    </Panel>
  )
}

function Changes({ changes }: Pick<AdminUserDetail, 'changes'>) {
  const { i18n, t } = useLingui()
  const nameOf = ({ role, duty }: AccountStatusView) => i18n._(duty ? dutyLabels[duty] : roleLabels[role])
  const describeChange = ({ before, after }: (typeof changes)[number]) => [
    (before.role !== after.role || before.duty !== after.duty) && `${nameOf(before)} → ${nameOf(after)}`,
    before.disabled !== after.disabled && (after.disabled ? t`Dinonaktifkan` : t`Diaktifkan kembali`),
  ]
  return (
    <Panel title={t`Perubahan oleh admin`}>
      <Rows
        empty={t`Belum pernah diubah.`}
        rows={changes.toReversed().map((change) => ({
          key: change.createdAt,
          title: describeChange(change).filter(Boolean).join(', '),
          text: change.reason,
          note: formatDateTime(change.createdAt),
        }))}
      />
    </Panel>
  )
}

export function UserScreen({ tabs: others }: { tabs: readonly UserTab[] }) {
  const { t } = useLingui()
  const { id = '' } = useParams()
  const { params, href } = useListParams()
  const query = useQuery(adminQuery<AdminUserDetail>(`users/${id}`))
  const { data: summary } = useQuery(summaryQuery(id))
  const { data: user } = query
  const tabs = [{ id: '', name: t`Ringkasan` }, ...others]
  const shown = others.find(({ id }) => id === params.tab)
  useCrumb(query.error ? id.slice(-8) : user?.name)
  return (
    <AdminPage
      title={user?.name ?? t({ message: 'Pengguna', context: 'a single one' })}
      actions={user && <AccountActions user={user} summary={summary} />}
    >
      <Loaded query={query}>
        {(user) => (
          <>
            <LinkTabs
              label={t`Bagian`}
              current={shown?.id ?? ''}
              tabs={tabs.map(({ id, name }) => ({ id, name, to: href({ tab: id, kind: '', sort: '' }) }))}
            />
            {shown ? (
              <shown.Content user={user} />
            ) : (
              <div className="grid items-start gap-4 lg:grid-cols-2">
                <Account user={user} summary={summary} />
                <div className="grid gap-4">
                  {summary && <Sessions sessions={summary.sessions} />}
                  <Changes changes={user.changes} />
                </div>
              </div>
            )}
          </>
        )}
      </Loaded>
    </AdminPage>
  )
}

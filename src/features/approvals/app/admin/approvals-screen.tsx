import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { formatDateTime, formatNumber, formatRupiah } from '#client/format.ts'
import { userAtom } from '#client/session.ts'
import { reasonMaxLength } from '#shared/reason.ts'
import { closeDialog, DialogButton } from '#ui/admin/dialogs.tsx'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { List } from '#ui/admin/list.tsx'
import { AdminPage } from '#ui/admin/page.tsx'
import { adminList } from '#ui/admin/queries.ts'
import { Dialog } from '#ui/dialog.tsx'
import { Person } from '#ui/lists/cells.tsx'
import { useListParams } from '#ui/lists/list-params.ts'
import { Detail, Details, TextLink } from '#ui/lists/panel.tsx'
import { createdAtColumn } from '#ui/lists/table.tsx'
import { LinkTabs } from '#ui/lists/tabs.tsx'
import { type ApprovalKind, type ApprovalStatus, approvalDays } from '../../rules.ts'
import type { ApprovalView } from '../../schemas.ts'

const kindLabels: Record<ApprovalKind, MessageDescriptor> = {
  credit_adjustment: msg`Pengaturan kredit`,
  order_confirmation: msg`Konfirmasi pesanan`,
  voucher_creation: msg`Voucher baru`,
  voucher_change: msg`Perubahan voucher`,
}

function useWorth() {
  const { t } = useLingui()
  return ({ amount, unit }: Pick<ApprovalView, 'amount' | 'unit'>) => {
    if (amount === null) return t`Tanpa batas`
    return unit === 'idr' ? formatRupiah(amount) : t`${formatNumber(amount)} kredit`
  }
}

/** The reason is shown to the other member of staff in the audit log. */
function DecisionDialog({ path, accept }: { path: string; accept: boolean }) {
  const { t } = useLingui()
  return (
    <FormDialog
      danger={!accept}
      title={accept ? t`Setujui ini?` : t`Tolak permintaan ini?`}
      text={accept ? t`Langsung dilakukan, dan tidak bisa dibatalkan.` : t`Tidak ada yang berubah.`}
      confirm={accept ? t`Setujui` : t`Tolak`}
      successMessage={accept ? t`Disetujui dan sudah dilakukan.` : t`Sudah ditolak.`}
      reason={{ label: t`Alasan`, max: reasonMaxLength }}
      change={{ path, json: { accept } }}
    />
  )
}

interface ApprovalProps {
  approval: ApprovalView
  voucherLabels: Record<string, MessageDescriptor>
}

function RequestDetails({ approval: { kind, details, subject }, voucherLabels }: ApprovalProps) {
  const { i18n, t } = useLingui()
  const { days, code, kind: voucher, value, limitTotal, limitPerUser, receivedIdr, totalIdr } = details
  const limit = (given: typeof value) => (given == null ? t`Tanpa batas` : formatNumber(Number(given)))
  const isVoucher = kind === 'voucher_creation' || kind === 'voucher_change'
  return (
    <>
      {kind === 'credit_adjustment' && <Detail name={t`Berlaku (hari)`}>{formatNumber(Number(days))}</Detail>}
      {kind === 'order_confirmation' && (
        <>
          <Detail name={t({ message: 'Pesanan', context: 'a single one' })}>
            <TextLink to={`/admin/billing/${subject}`}>{subject.slice(-8)}</TextLink>
          </Detail>
          <Detail name={t`Rupiah yang masuk`}>{formatRupiah(Number(receivedIdr ?? totalIdr))}</Detail>
        </>
      )}
      {isVoucher && <Detail name={t`Kode`}>{String(code)}</Detail>}
      {kind === 'voucher_creation' && (
        <Detail name={t`Nilai`}>
          {`${i18n._(voucherLabels[String(voucher)] as MessageDescriptor)} · ${formatNumber(Number(value))}`}
        </Detail>
      )}
      {isVoucher && limitTotal !== undefined && <Detail name={t`Batas total`}>{limit(limitTotal)}</Detail>}
      {isVoucher && limitPerUser !== undefined && <Detail name={t`Batas per orang`}>{limit(limitPerUser)}</Detail>}
    </>
  )
}

function ApprovalDialog({ approval, voucherLabels }: ApprovalProps) {
  const { i18n, t } = useLingui()
  const worthOf = useWorth()
  const me = useAtomValue(userAtom)
  const { id, kind, status, user, reason, requestedBy, createdAt, expiresAt, decidedBy, answer } = approval
  const path = `approvals/${id}`
  const isOwn = requestedBy.id === me?.id
  const isAboutMe = user?.id === me?.id
  return (
    <Dialog open layout="wide" title={i18n._(kindLabels[kind])} onClose={closeDialog}>
      <div className="grid gap-4">
        <Details>
          <Detail name={t`Jumlah`}>
            <strong>{worthOf(approval)}</strong>
          </Detail>
          <Detail name={t({ message: 'Pengguna', context: 'a single one' })}>
            {user && (
              <TextLink to={`/admin/users/${user.id}`}>
                <Person name={user.name} email={user.email} />
              </TextLink>
            )}
          </Detail>
          <RequestDetails approval={approval} voucherLabels={voucherLabels} />
          <Detail name={t`Diminta oleh`}>{`${requestedBy.name} · ${formatDateTime(createdAt)}`}</Detail>
          <Detail name={t`Alasan`}>{reason}</Detail>
          <Detail name={t`Kedaluwarsa`}>{status === 'waiting' && formatDateTime(expiresAt)}</Detail>
          <Detail name={t`Keputusan`}>{[decidedBy?.name, answer].filter(Boolean).join(': ')}</Detail>
        </Details>
        {status === 'waiting' && isOwn && (
          <p className="text-muted">{t`Kamu yang memintanya, jadi staf lain yang harus memutuskan.`}</p>
        )}
        {status === 'waiting' && isAboutMe && !isOwn && (
          <p className="text-muted">{t`Ini akunmu sendiri. Minta staf lain melakukannya.`}</p>
        )}
        {status === 'waiting' && !isOwn && !isAboutMe && (
          <div className="flex flex-wrap justify-end gap-2">
            <DialogButton dialog={<DecisionDialog path={path} accept={false} />}>{t`Tolak`}</DialogButton>
            <DialogButton variant="primary" dialog={<DecisionDialog path={path} accept />}>
              {t`Setujui`}
            </DialogButton>
          </div>
        )}
      </div>
    </Dialog>
  )
}

export function ApprovalsScreen({ voucherLabels }: Pick<ApprovalProps, 'voucherLabels'>) {
  const { i18n, t } = useLingui()
  const { params, href } = useListParams()
  const worthOf = useWorth()
  const { status = 'waiting' } = params
  const names: Record<ApprovalStatus, string> = {
    waiting: t`Menunggu`,
    approved: t`Disetujui`,
    refused: t`Ditolak`,
    expired: t`Kedaluwarsa`,
  }
  return (
    <AdminPage
      title={t`Persetujuan`}
      text={t`Jumlah besar baru berlaku setelah disetujui orang kedua. Yang tidak diputuskan dalam ${approvalDays} hari kedaluwarsa.`}
    >
      <LinkTabs
        label={t`Persetujuan`}
        current={status}
        tabs={Object.entries(names).map(([id, name]) => ({
          id,
          name,
          to: href({ status: id === 'waiting' ? '' : id, sort: '' }),
        }))}
      />
      <List
        label={t`Persetujuan`}
        list={adminList<ApprovalView>('approvals')}
        file="rupa-approvals"
        empty={status === 'waiting' ? t`Tidak ada yang menunggu persetujuan.` : t`Belum ada.`}
        defaultSort={status === 'waiting' ? 'oldest' : 'newest'}
        columns={[
          { name: t`Jenis`, cell: ({ kind }) => i18n._(kindLabels[kind]) },
          {
            name: t`Tentang`,
            as: 'wide',
            cell: ({ user, details }) =>
              user ? <Person name={user.name} email={user.email} /> : String(details.code ?? '–'),
          },
          { name: t`Jumlah`, as: 'number', cell: worthOf },
          {
            name: t`Alasan`,
            as: 'wide',
            cell: ({ reason, answer, decidedBy }) => (
              <span className="wrap-anywhere grid">
                <span className="line-clamp-2">{reason || '–'}</span>
                {answer !== null && (
                  <span className="line-clamp-2 text-muted text-xs">
                    {[decidedBy?.name, answer].filter(Boolean).join(': ')}
                  </span>
                )}
              </span>
            ),
          },
          { name: t`Diminta oleh`, cell: ({ requestedBy }) => requestedBy.name },
          { name: t`Dibuat`, ...createdAtColumn, cell: ({ createdAt }) => formatDateTime(createdAt) },
          {
            name: t`Tindakan`,
            as: 'actions',
            cell: (approval) => (
              <DialogButton dialog={<ApprovalDialog approval={approval} voucherLabels={voucherLabels} />}>
                {approval.status === 'waiting' ? t`Putuskan` : t`Lihat`}
              </DialogButton>
            ),
          },
        ]}
      />
    </AdminPage>
  )
}

import { useLingui } from '@lingui/react/macro'
import { formatDateTime, formatNumber } from '#client/format.ts'
import { AssignedCell, AssignedFilter, AssigneeSelect } from '#features/assignments/app/admin/assignments.tsx'
import { reasonMaxLength } from '#shared/reason.ts'
import { useToolName } from '#tools/tool-name.ts'
import { closeDialog, DialogButton } from '#ui/admin/dialogs.tsx'
import { SearchFilter } from '#ui/admin/filters.tsx'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { List } from '#ui/admin/list.tsx'
import { AdminPage } from '#ui/admin/page.tsx'
import { ActRefusal, useActRefusal } from '#ui/admin/permissions.tsx'
import { adminList } from '#ui/admin/queries.ts'
import { Dialog } from '#ui/dialog.tsx'
import { Person } from '#ui/lists/cells.tsx'
import { useListParams } from '#ui/lists/list-params.ts'
import { TextLink } from '#ui/lists/panel.tsx'
import { createdAtColumn } from '#ui/lists/table.tsx'
import { LinkTabs } from '#ui/lists/tabs.tsx'
import { PrivatePicture } from '#ui/private-picture.tsx'
import type { AdminRefundRequest } from '../../schemas.ts'

/** The reason is shown to the user. */
function DecisionDialog({ path, accept }: { path: string; accept: boolean }) {
  const { t } = useLingui()
  return (
    <FormDialog
      danger={!accept}
      title={accept ? t`Kembalikan kreditnya?` : t`Tolak permintaan kredit kembali ini?`}
      text={
        accept
          ? t`Kreditnya kembali dan hasilnya dihapus. Ini tidak bisa dibatalkan.`
          : t`Permintaan yang ditolak masih bisa diterima nanti.`
      }
      confirm={accept ? t`Kembalikan kredit` : t`Tolak`}
      successMessage={accept ? t`Kreditnya sudah kembali.` : t`Permintaan kredit kembali sudah ditolak.`}
      reason={{ label: t`Jawaban untuk pengguna`, max: reasonMaxLength }}
      change={{ path, json: { accept } }}
    />
  )
}

function RequestDialog({ request }: { request: AdminRefundRequest }) {
  const { t } = useLingui()
  const toolName = useToolName()
  const { id, user, status, tool, credits, reason, answer, createdAt, files } = request
  const path = `claims/${id}`
  const waits = status === 'waiting'
  const refusal = useActRefusal()(user)
  return (
    <Dialog open layout="wide" title={t`Permintaan kredit kembali dari ${user.name}`} onClose={closeDialog}>
      <div className="grid gap-4">
        <p className="text-muted">
          {`${toolName(tool)} · ${t`${formatNumber(credits)} kredit`} · ${formatDateTime(createdAt)}`}
        </p>
        <blockquote className="wrap-anywhere border-line border-s-2 pl-4">{reason}</blockquote>
        {answer !== null && <p className="wrap-anywhere text-muted">{t`Jawaban: ${answer}`}</p>}
        {files.length > 0 ? (
          <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
            {files.map((file) => (
              <PrivatePicture
                key={file.id}
                path={`/api/admin/${path}/files/${file.id}`}
                alt={file.role === 'input' ? t`Foto asli` : t`Hasil`}
                label={file.role === 'input' ? t`Buka foto asli` : t`Buka hasil`}
              />
            ))}
          </div>
        ) : (
          waits && <p className="text-muted">{t`Gambarnya sudah terhapus.`}</p>
        )}
        <div className="flex items-center justify-end gap-2 text-sm">
          <span className="text-muted">{t`Ditangani`}</span>
          <AssigneeSelect work="refund_request" path={path} assignee={request.assignee} />
        </div>
        <div className="flex flex-wrap items-center justify-end gap-2">
          <span className="mr-auto">
            <TextLink to={`/admin/users/${user.id}`}>{t`Lihat akunnya`}</TextLink>
          </span>
          {refusal && status !== 'refunded' && <ActRefusal>{refusal}</ActRefusal>}
          {waits && !refusal && (
            <DialogButton dialog={<DecisionDialog path={path} accept={false} />}>{t`Tolak`}</DialogButton>
          )}
          {status !== 'refunded' && !refusal && (
            <DialogButton variant="primary" dialog={<DecisionDialog path={path} accept />}>
              {t`Kembalikan kredit`}
            </DialogButton>
          )}
        </div>
      </div>
    </Dialog>
  )
}

export function RefundRequestsScreen() {
  const { t } = useLingui()
  const { params, href } = useListParams()
  const toolName = useToolName()
  const { status = 'waiting' } = params
  const empty: Record<string, string> = {
    waiting: t`Tidak ada permintaan kredit kembali yang menunggu.`,
    declined: t`Belum ada permintaan kredit kembali yang ditolak.`,
    refunded: t`Belum ada permintaan kredit kembali yang diterima.`,
  }
  return (
    <AdminPage
      title={t`Permintaan kredit kembali`}
      text={t`Mulai permintaan keempat dalam 30 hari, kamu yang memutuskan. Membuka gambar pelanggan tercatat di log audit.`}
    >
      <LinkTabs
        label={t`Permintaan kredit kembali`}
        current={status}
        tabs={[
          { id: 'waiting', name: t`Menunggu`, to: href({ status: '', sort: '' }) },
          { id: 'declined', name: t`Ditolak`, to: href({ status: 'declined', sort: '' }) },
          { id: 'refunded', name: t`Kredit kembali`, to: href({ status: 'refunded', sort: '' }) },
        ]}
      />
      <List
        label={t`Permintaan kredit kembali`}
        list={adminList<AdminRefundRequest>('claims')}
        file="rupa-refund-requests"
        empty={empty[status]}
        defaultSort={status === 'waiting' ? 'oldest' : 'newest'}
        filters={
          <>
            <SearchFilter label={t`Cari nama atau email`} />
            <AssignedFilter />
          </>
        }
        columns={[
          { name: t`Nama`, as: 'wide', cell: ({ user: { name, email } }) => <Person name={name} email={email} /> },
          { name: t`Nama alat`, cell: ({ tool }) => toolName(tool) },
          { name: t`Kredit`, as: 'number', cell: ({ credits }) => formatNumber(credits) },
          {
            name: t`Alasan`,
            as: 'wide',
            cell: ({ reason, answer, decidedBy }) => (
              <span className="wrap-anywhere grid">
                <span className="line-clamp-2">{reason}</span>
                {answer !== null && (
                  <span className="line-clamp-2 text-muted text-xs">
                    {[decidedBy, answer].filter(Boolean).join(': ')}
                  </span>
                )}
              </span>
            ),
          },
          { name: t`Ditangani`, cell: (request) => <AssignedCell {...request} /> },
          { name: t`Dibuat`, ...createdAtColumn, cell: ({ createdAt }) => formatDateTime(createdAt) },
          {
            name: t`Tindakan`,
            as: 'actions',
            cell: (request) => (
              <DialogButton dialog={<RequestDialog request={request} />}>
                {request.status === 'waiting' ? t`Putuskan` : t`Lihat`}
              </DialogButton>
            ),
          },
        ]}
      />
    </AdminPage>
  )
}

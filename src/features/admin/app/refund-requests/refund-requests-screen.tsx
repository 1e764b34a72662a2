import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { formatAge, formatNumber } from '#client/format.ts'
import { reasonMax } from '#contract/reason.ts'
import type { AdminRefundRequest } from '#features/generations/types.ts'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { AdminPage } from '#ui/admin/page.tsx'
import { Button } from '#ui/button.tsx'
import { useListParams } from '#ui/lists/list-params.ts'
import { Loaded } from '#ui/lists/loaded.tsx'
import { Nothing, Panel } from '#ui/lists/panel.tsx'
import { Person } from '#ui/lists/person.tsx'
import { LinkTabs } from '#ui/lists/tabs.tsx'
import { PrivatePicture } from '#ui/private-picture.tsx'
import { refundRequestsQuery } from '../api.ts'
import { useToolName } from '../tool-name.ts'

/** Decides about a request; the person reads why. */
function DecisionDialog({ path, accept, onClose }: { path: string; accept: boolean; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <FormDialog
      danger={!accept}
      title={accept ? t`Kembalikan kreditnya?` : t`Tolak klaim ini?`}
      text={
        accept
          ? t`Kreditnya kembali dan hasilnya dihapus. Ini tidak bisa dibatalkan.`
          : t`Klaim yang ditolak masih bisa diterima nanti.`
      }
      confirm={accept ? t`Kembalikan kredit` : t`Tolak`}
      said={accept ? t`Kreditnya sudah kembali.` : t`Klaim sudah ditolak.`}
      reason={{ label: t`Jawaban untuk orangnya`, max: reasonMax }}
      change={{ path, json: { accept } }}
      onClose={onClose}
    />
  )
}

function RefundRequest({
  generationId,
  userId,
  name,
  tool,
  credits,
  reason,
  answer,
  createdAt,
  files,
}: AdminRefundRequest) {
  const { t } = useLingui()
  const nameOf = useToolName()
  const [accept, setAccept] = useState<boolean | null>(null)
  const path = `claims/${generationId}`
  const waits = answer === null
  return (
    <li className="card min-w-0 shadow-xs">
      <div className="flex flex-col gap-3 p-4 md:grid md:grid-cols-[minmax(0,1fr)_auto] md:*:nth-[n+3]:col-span-2">
        <Link to={`/admin/users/${userId}`} className="link link-hover min-w-0 font-semibold">
          <Person name={name} email={t`${nameOf(tool)} · ${formatNumber(credits)} kredit · ${formatAge(createdAt)}`} />
        </Link>
        <div className="flex flex-wrap gap-2 max-md:order-1">
          <Button variant="soft" onClick={() => setAccept(true)}>{t`Kembalikan kredit`}</Button>
          {waits && <Button variant="outline" onClick={() => setAccept(false)}>{t`Tolak`}</Button>}
          {accept !== null && <DecisionDialog {...{ path, accept }} onClose={() => setAccept(null)} />}
        </div>
        <blockquote className="border-line border-s-2 pl-4">{reason}</blockquote>
        {!waits && <p className="text-muted">{t`Ditolak: ${answer}`}</p>}
        {files.length > 0 ? (
          <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
            {files.map(({ id, role }) => (
              <PrivatePicture
                key={id}
                path={`/api/admin/${path}/files/${id}`}
                alt={role === 'input' ? t`Foto asli` : t`Hasil`}
                label={role === 'input' ? t`Buka foto asli` : t`Buka hasil`}
              />
            ))}
          </div>
        ) : (
          waits && <p className="text-muted">{t`Gambarnya sudah terhapus.`}</p>
        )}
      </div>
    </li>
  )
}

/** /admin/klaim: results that people say are no good, and that an admin has to decide. */
export function RefundRequestsScreen() {
  const { t } = useLingui()
  const { params, href } = useListParams()
  const status = params.status === 'declined' ? 'declined' : 'waiting'
  const query = useQuery(refundRequestsQuery(status))
  return (
    <AdminPage
      title={t`Klaim`}
      text={t`Klaim keempat dalam 30 hari menunggu keputusan. Membuka gambar pelanggan tercatat di log audit.`}
    >
      <LinkTabs
        label={t`Klaim`}
        current={status}
        tabs={[
          { id: 'waiting', name: t`Menunggu`, to: href({ status: '' }) },
          { id: 'declined', name: t`Ditolak`, to: href({ status: 'declined' }) },
        ]}
      />
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Panel>
              <Nothing>
                {status === 'waiting' ? t`Tidak ada klaim yang menunggu.` : t`Belum ada klaim yang ditolak.`}
              </Nothing>
            </Panel>
          ) : (
            <ul className="grid gap-3">
              {items.map((request) => (
                <RefundRequest key={request.generationId} {...request} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </AdminPage>
  )
}

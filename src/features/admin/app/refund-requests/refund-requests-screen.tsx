import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { formatAge, formatNumber } from '#client/format.ts'
import type { WaitingRefundRequest } from '#features/generations/types.ts'
import { AdminPage } from '#ui/admin/page.tsx'
import { useChange } from '#ui/admin/queries.ts'
import { Button } from '#ui/button.tsx'
import { Loaded } from '#ui/lists/loaded.tsx'
import { Nothing, Panel } from '#ui/lists/panel.tsx'
import { Person } from '#ui/lists/person.tsx'
import { PrivatePicture } from '#ui/private-picture.tsx'
import { refundRequestsQuery } from '../api.ts'
import { useToolName } from '../tool-name.ts'

function RefundRequest({ generationId, userId, name, tool, credits, reason, createdAt, files }: WaitingRefundRequest) {
  const { t } = useLingui()
  const nameOf = useToolName()
  const decide = useChange()
  const path = `claims/${generationId}`
  // Gone from the list at once; back in it when the server refuses.
  if (decide.isPending) return null
  return (
    <li className="card min-w-0 shadow-xs">
      <div className="flex flex-col gap-3 p-4 md:grid md:grid-cols-[minmax(0,1fr)_auto] md:*:nth-[n+3]:col-span-2">
        <Link to={`/admin/users/${userId}`} className="link link-hover min-w-0 font-semibold">
          <Person name={name} email={t`${nameOf(tool)} · ${formatNumber(credits)} kredit · ${formatAge(createdAt)}`} />
        </Link>
        <div className="flex flex-wrap gap-2 max-md:order-1">
          <Button variant="soft" onClick={() => decide.mutate({ path, json: { accept: true } })}>
            {t`Kembalikan kredit`}
          </Button>
          <Button variant="outline" onClick={() => decide.mutate({ path, json: { accept: false } })}>
            {t`Tolak`}
          </Button>
        </div>
        <blockquote className="border-line border-s-2 pl-4">{reason}</blockquote>
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
          <p className="text-muted">{t`Gambarnya sudah terhapus.`}</p>
        )}
      </div>
    </li>
  )
}

/** /admin/klaim: results that people say are no good, and that an admin has to decide. */
export function RefundRequestsScreen() {
  const { t } = useLingui()
  const query = useQuery(refundRequestsQuery)
  return (
    <AdminPage
      title={t`Klaim`}
      text={t`Klaim keempat dalam 30 hari menunggu keputusan. Membuka gambar pelanggan tercatat di log audit.`}
    >
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Panel>
              <Nothing>{t`Tidak ada klaim yang menunggu.`}</Nothing>
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

import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { formatAge, formatNumber } from '#client/format.ts'
import type { WaitingRefundRequest } from '#features/generations/types.ts'
import { Person } from '#ui/admin/badge.tsx'
import { Loaded } from '#ui/admin/loaded.tsx'
import { AdminPage, Nothing, Panel, surface } from '#ui/admin/page.tsx'
import { readQuery, useChange } from '#ui/admin/queries.ts'
import { Button } from '#ui/button.tsx'
import { PrivatePicture } from '#ui/private-picture.tsx'
import { useToolName } from '../tool-name.ts'

interface ClaimList {
  items: WaitingRefundRequest[]
}
const claimsQuery = readQuery<ClaimList>(['claims'], '/api/admin/claims')

function Claim({ claim }: { claim: WaitingRefundRequest }) {
  const { t } = useLingui()
  const nameOf = useToolName()
  const { generationId, userId, name, tool, credits, reason, createdAt, files } = claim
  const change = useChange()
  // Gone from the list at once; back in it when the server refuses.
  const decide = (accept: boolean) =>
    change.mutate({
      path: `/api/admin/claims/${generationId}`,
      json: { accept },
      optimistic: {
        key: claimsQuery.queryKey,
        apply: ({ items }: ClaimList) => ({ items: items.filter((item) => item.generationId !== generationId) }),
      },
    })
  return (
    <li className={surface}>
      <div className="flex flex-col gap-3 p-4 md:grid md:grid-cols-[minmax(0,1fr)_auto] md:*:nth-[n+3]:col-span-2">
        <Link to={`/admin/users/${userId}`} className="link link-hover font-semibold min-w-0">
          <Person name={name} email={t`${nameOf(tool)} · ${formatNumber(credits)} kredit · ${formatAge(createdAt)}`} />
        </Link>
        <div className="flex flex-wrap gap-2 max-md:order-1">
          <Button variant="soft" onClick={() => decide(true)}>{t`Kembalikan kredit`}</Button>
          <Button variant="outline" onClick={() => decide(false)}>{t`Tolak`}</Button>
        </div>
        <blockquote className="border-line border-s-2 pl-4">{reason}</blockquote>
        {files.length > 0 ? (
          <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
            {files.map(({ id, role }) => (
              <PrivatePicture
                key={id}
                path={`/api/admin/claims/${generationId}/files/${id}`}
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
export function ClaimsScreen() {
  const { t } = useLingui()
  const query = useQuery(claimsQuery)
  return (
    <AdminPage title={t`Klaim`}>
      <p className="mb-4 max-w-3xl text-muted">
        {t`Klaim keempat dalam 30 hari menunggu keputusan. Membuka gambar pelanggan tercatat di log audit.`}
      </p>
      <Loaded query={query} height="h-40">
        {({ items }) =>
          items.length === 0 ? (
            <Panel>
              <Nothing>{t`Tidak ada klaim yang menunggu.`}</Nothing>
            </Panel>
          ) : (
            <ul className="grid gap-3">
              {items.map((claim) => (
                <Claim key={claim.generationId} claim={claim} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </AdminPage>
  )
}

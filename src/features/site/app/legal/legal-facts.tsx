import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { siteQuery } from '#client/query.ts'
import type { RetentionKind, Site } from '#shared/site.ts'
import { Skeleton } from '#ui/skeleton.tsx'

const retentionLabels: Record<RetentionKind, MessageDescriptor> = {
  inputs: msg`Foto dan video yang kamu kirim`,
  results: msg`Foto dan video hasil edit`,
  custom_edits: msg`Foto dan hasil edit khusus, sejak dikirim`,
  shared_results: msg`Tautan bagikan, paling lama`,
  idle_sessions: msg`Sesi masuk yang tidak dipakai`,
  security_log: msg`Catatan keamanan akun`,
  sent_mails: msg`Catatan email yang terkirim`,
  error_reports: msg`Laporan galat, tanpa isi foto`,
}

/** From the limits by which the server deletes; a stored answer of an older version has none. */
export function RetentionTable() {
  const { t, i18n } = useLingui()
  const { data } = useQuery(siteQuery)
  if (!data?.retention) return <Skeleton className="mt-3 h-64 w-full" />
  return (
    <table className="mt-3 w-full text-left [&_:is(td,th)]:border-line [&_:is(td,th)]:border-b [&_:is(td,th)]:py-2">
      <thead>
        <tr>
          <th scope="col">{t`Data`}</th>
          <th scope="col" className="text-right">{t`Dihapus setelah`}</th>
        </tr>
      </thead>
      <tbody>
        {data.retention.map(({ kind, days }) => (
          <tr key={kind}>
            <td>{i18n._(retentionLabels[kind])}</td>
            <td className="text-right tabular-nums">{t`${plural(days, { other: '# hari' })}`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The operator's rules; empty where there are none. */
export function AgeRules({ children }: { children: (rules: NonNullable<Site['age']>) => ReactNode }) {
  const { data } = useQuery(siteQuery)
  return data?.age ? children(data.age) : null
}

const Mail = ({ to }: { to: string }): ReactNode => (
  <a href={`mailto:${to}`} className="wrap-anywhere">
    {to}
  </a>
)

export function DataOfficer() {
  const { data } = useQuery(siteQuery)
  if (!data?.dataOfficer) return null
  const { name, email } = data.dataOfficer
  return (
    <p>
      {name && <strong className="block">{name}</strong>}
      <Mail to={email} />
    </p>
  )
}

export function Complaints() {
  const { data } = useQuery(siteQuery)
  if (!data?.complaints) return null
  const { email, phone } = data.complaints
  return (
    <p>
      <Mail to={email} />
      {phone && (
        <>
          {' · '}
          <a href={`tel:${phone.replace(/[^\d+]/g, '')}`}>{phone}</a>
        </>
      )}
    </p>
  )
}

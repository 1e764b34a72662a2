import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { formatDateTime, formatNumber } from '#client/format.ts'
import { type Column, ShortTable } from '#ui/admin/data-table.tsx'
import { Code, Panel } from '#ui/admin/page.tsx'
import { readQuery } from '#ui/admin/queries.ts'

interface FailingJob {
  name: string
  jobs: number
  since: string
  reason: string
}

const jobsQuery = readQuery<{ failing: FailingJob[] }>(['jobs'], '/api/admin/jobs')

/** Work outside requests that fails now. */
export function FailingJobs() {
  const { t } = useLingui()
  const { data } = useQuery(jobsQuery)
  const columns: Column<FailingJob>[] = [
    { id: 'name', name: t`Pekerjaan`, cell: ({ name }) => <Code>{name}</Code> },
    { id: 'reason', name: t`Sebab`, cell: ({ reason }) => reason },
    { id: 'jobs', name: t`Jumlah`, end: true, cell: ({ jobs }) => formatNumber(jobs) },
    { id: 'since', name: t`Sejak`, end: true, cell: ({ since }) => formatDateTime(since) },
  ]
  return (
    <Panel title={t`Pekerjaan yang gagal`}>
      <ShortTable
        label={t`Pekerjaan yang gagal`}
        columns={columns}
        rows={data?.failing ?? []}
        keyOf={({ name }) => name}
        empty={t`Semua pekerjaan berjalan baik.`}
      />
    </Panel>
  )
}

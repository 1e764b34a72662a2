import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { serverNow } from '#client/device/server-time.ts'
import { formatAge, formatBytes } from '#client/format.ts'
import { usePermission } from '#ui/admin/permissions.tsx'
import { adminQuery } from '#ui/admin/queries.ts'
import type { Health } from '../../schemas.ts'

type Item = Health['items'][number]

export function OperatorProblems() {
  const { t } = useLingui()
  const { data } = useQuery({
    ...adminQuery<Health>('health'),
    refetchInterval: 60_000,
    enabled: usePermission()('control'),
  })
  const since = (seconds = 0) => formatAge(serverNow() - seconds * 1000)
  const sentences: Record<Item['name'], (item: Item) => string> = {
    disk: ({ value = 0 }) => t`Ruang disk hampir habis: sisa ${formatBytes(value)}. Unggahan ditolak di bawah 64 MB.`,
    queue: ({ value }) => t`Ada pembuatan yang menunggu sejak ${since(value)}. Periksa apakah worker berjalan.`,
    mails: ({ value }) => t`Ada email yang belum terkirim sejak ${since(value)}. Periksa SMTP_URL.`,
    workers: () => t`Tidak ada worker yang berjalan, jadi pembuatan dan email menunggu. Jalankan satu.`,
    jobs: ({ value }) => t`Ada pekerjaan latar yang gagal sejak ${since(value)}. Sebabnya ada di log.`,
    backup: ({ value }) => t`Cadangan seharusnya sudah dibuat ${since(value)}. Periksa tujuannya.`,
    backup_refused: () =>
      t`Isi basis data jauh lebih sedikit daripada cadangan terakhir, jadi cadangan otomatis berhenti. Pulihkan dengan npm run restore, atau lanjutkan dengan npm run backup -- --force.`,
    payments: ({ value }) =>
      t`${{ failures: value }} pembayaran berturut-turut gagal dibuat di gerbang pembayaran. Periksa kuncinya dan status layanannya.`,
    payment_circuit: () =>
      t`Gerbang pembayaran terus gagal, jadi sementara tidak dihubungi. Periksa status layanannya.`,
  }
  const problems = data?.items.filter(({ problem }) => problem) ?? []
  if (problems.length === 0) return null
  return (
    <section role="alert" className="mb-4 flex gap-3 rounded-box border border-error bg-base-100 p-4 text-error">
      <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
      <div>
        <h2 className="font-bold">{t`Perlu tindakan`}</h2>
        <ul className="grid gap-0.5 text-sm">
          {problems.map((item) => (
            <li key={item.name}>
              {item.value === undefined ? t`Tidak bisa dibaca: ${item.name}` : sentences[item.name](item)}
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

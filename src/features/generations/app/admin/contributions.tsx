import { msg, plural, t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Lightbulb } from 'lucide-react'
import { formatBytes } from '#client/format.ts'
import type { OpenItem, TimelineSection } from '#features/admin/contributions.ts'
import { usePermission } from '#ui/admin/permissions.tsx'
import { adminQuery } from '#ui/admin/queries.ts'
import type { ModelView } from '../../schemas.ts'

export const refundRequestItem: OpenItem = {
  count: 'refundRequests',
  needs: 'refunds',
  path: '/admin/klaim',
  text: (open) => msg`${plural(open.refundRequests, { other: 'permintaan kredit kembali menunggu' })}`,
}

export const generationSection: TimelineSection = {
  name: msg({ message: 'Pembuatan', context: 'a single one' }),
  wordsOf: ({ what, detail }, { toolName, state }) => [`${toolName(what)} · ${state}`, detail],
}

export const refundRequestSection: TimelineSection = {
  name: msg({ message: 'Permintaan kredit kembali', context: 'a single one' }),
  wordsOf: ({ detail }, { state: stands }) => [t`Minta kredit kembali · ${stands}`, detail],
}

/** Hidden once a model is installed. */
export function ModelHint() {
  const { t } = useLingui()
  const { data } = useQuery({ ...adminQuery<{ items: ModelView[] }>('models'), enabled: usePermission()('control') })
  const bytes = recommendedBytes(data?.items ?? [])
  if (bytes === 0) return null
  return (
    <p className="mb-4 flex gap-3 rounded-box border border-line bg-base-100 p-4 text-sm">
      <Lightbulb aria-hidden className="size-5 shrink-0 max-md:hidden" />
      <span className="wrap-anywhere min-w-0">
        {t`Hasil bisa lebih bagus dengan satu perintah di server: npm run models -- add recommended (${formatBytes(bytes)}). Potongan, pilihan dengan ketukan, objek yang dihapus, pembesaran, wajah, dan warna jadi lebih baik.`}
      </span>
    </p>
  )
}

type Model = Pick<ModelView, 'recommended' | 'installed' | 'progress' | 'size'>

/** Bytes of all recommended models; 0 once any model is installed or being downloaded. */
export function recommendedBytes(models: readonly Model[]): number {
  if (models.some(({ installed, progress }) => installed || progress !== null)) return 0
  return models.reduce((sum, { recommended, size }) => sum + (recommended ? (size ?? 0) : 0), 0)
}

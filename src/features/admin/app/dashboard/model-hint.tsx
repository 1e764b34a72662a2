import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Lightbulb } from 'lucide-react'
import { formatBytes } from '#client/format.ts'
import type { ModelView } from '#features/generations/types.ts'
import { adminQuery } from '#ui/admin/queries.ts'
import { useMay } from '../use-may.ts'
import { recommendedBytes } from './recommended-bytes.ts'

/** Hidden once a model is installed. */
export function ModelHint() {
  const { t } = useLingui()
  const { data } = useQuery({ ...adminQuery<{ items: ModelView[] }>('models'), enabled: useMay()('control') })
  const bytes = recommendedBytes(data?.items ?? [])
  if (bytes === 0) return null
  return (
    <p className="mb-4 flex gap-3 rounded-box border border-line bg-base-100 p-4 text-sm">
      <Lightbulb aria-hidden className="size-5 shrink-0" />
      {t`Hasil bisa lebih bagus dengan satu perintah di server: npm run models -- add recommended (${formatBytes(bytes)}). Potongan, pilihan dengan ketukan, objek yang dihapus, pembesaran, wajah, dan warna jadi lebih baik.`}
    </p>
  )
}

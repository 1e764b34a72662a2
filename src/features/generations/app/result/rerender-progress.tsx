import { useLingui } from '@lingui/react/macro'
import type { GenerationView } from '../../types.ts'
import { RemainingTime } from '../studio/remaining-time-text.tsx'

/**
 * How far a result is that takes its time to be rendered again, over the one that is still there.
 */
export function RerenderProgress({ generation }: { generation: GenerationView }) {
  const { t } = useLingui()
  const progress = generation.progress < 1 ? generation.progress : 0
  return (
    <div className="absolute inset-x-4 bottom-4 mx-auto grid max-w-md gap-2 rounded-box bg-base-100 px-4 py-3 text-left text-sm shadow-card">
      <p role="status" className="font-semibold">
        {t`Memasang latar baru, gratis…`}
      </p>
      <progress
        className="progress progress-primary"
        value={progress}
        max={1}
        aria-label={t`Memasang latar baru, gratis…`}
      />
      <RemainingTime progress={progress} />
    </div>
  )
}

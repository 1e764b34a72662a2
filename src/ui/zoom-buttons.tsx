import { useLingui } from '@lingui/react/macro'
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import { largestScale } from './geometry.ts'
import type { useZoom } from './use-zoom.ts'

/** In the corner of the stage, also for a picture whose frame is smaller. */
export function ZoomButtons({ view, zoom, showAll }: Pick<ReturnType<typeof useZoom>, 'view' | 'zoom' | 'showAll'>) {
  const { t } = useLingui()
  const zoomed = view.scale > 1
  const buttons = [
    { label: t`Tampilkan seluruh foto`, icon: Maximize, shown: zoomed, onClick: showAll },
    { label: t`Perkecil`, icon: ZoomOut, shown: zoomed, onClick: () => zoom(1 / 1.6) },
    { label: t`Perbesar`, icon: ZoomIn, shown: true, disabled: view.scale >= largestScale, onClick: () => zoom(1.6) },
  ]
  return (
    // The stage contains what is fixed.
    <div className="viewer-tools fixed top-3 right-3 z-2 flex gap-2">
      {buttons.map(
        ({ label, icon: Icon, shown, ...button }) =>
          shown && (
            <button
              key={label}
              type="button"
              className="btn btn-circle border-0 bg-[rgb(24_18_12/0.6)] text-white [--size:min(2.75rem,52px)] backdrop-blur-sm disabled:bg-[rgb(24_18_12/0.6)] disabled:text-white disabled:opacity-40"
              aria-label={label}
              {...button}
            >
              <Icon aria-hidden className="size-5" />
            </button>
          ),
      )}
    </div>
  )
}

import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { onlineAtom } from '#client/connection.ts'

/**
 * A line drawn along the top edge while the server cannot be reached. It takes no room and blocks
 * nothing.
 */
export function OfflineLine() {
  const { t } = useLingui()
  const online = useAtomValue(onlineAtom)
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-[env(safe-area-inset-top)] z-50 grid justify-items-center *:[grid-area:1/1]"
    >
      {!online && (
        <>
          <svg
            aria-hidden="true"
            className="-mt-px h-3 w-full overflow-visible fill-none stroke-3 stroke-primary-ink transition-[clip-path] duration-900 [clip-path:inset(-1rem)] [stroke-linecap:round] starting:[clip-path:inset(-1rem_100%_-1rem_0)]"
            viewBox="0 0 600 12"
            preserveAspectRatio="none"
          >
            <path
              vectorEffect="non-scaling-stroke"
              d="M0 4c22-4 41 4 66 2s38-5 63-3 40 5 64 3 44-5 68-3 36 4 62 3 41-4 66-2 40 4 63 2 42-4 67-2 52 4 81 1"
            />
          </svg>
          <span
            className="rounded-b-xl bg-base-content px-3 pt-px pb-0.75 font-semibold text-base-100 text-xs/5 transition-[translate] delay-400 duration-300 starting:-translate-y-full [:root:has(.studio-layout)_&]:hidden"
            aria-hidden="true"
          >{t`Offline`}</span>
          <span className="sr-only">{t`Kamu sedang offline. Unggahan terkirim begitu kamu online lagi.`}</span>
        </>
      )}
    </div>
  )
}

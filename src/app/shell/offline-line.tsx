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
    <div role="status" className="offline-place">
      {!online && (
        <>
          <svg aria-hidden="true" className="offline-line" viewBox="0 0 600 12" preserveAspectRatio="none">
            <path
              vectorEffect="non-scaling-stroke"
              d="M0 4c22-4 41 4 66 2s38-5 63-3 40 5 64 3 44-5 68-3 36 4 62 3 41-4 66-2 40 4 63 2 42-4 67-2 52 4 81 1"
            />
          </svg>
          <span className="offline-tag" aria-hidden="true">{t`Offline`}</span>
          <span className="sr-only">{t`Kamu sedang offline. Unggahan terkirim begitu kamu online lagi.`}</span>
        </>
      )}
    </div>
  )
}

import '#ui/late-components.css'
import { useLingui } from '@lingui/react/macro'
import { FileText, SquareSplitHorizontal } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { formatBytes } from '#client/format.ts'
import { Button } from '#ui/button.tsx'
import type { OutputView } from '../../schemas.ts'
import { RemainingTime } from '../studio/remaining-time.tsx'
import { PictureFrame } from '../studio/waiting-picture.tsx'
import { formatName } from './save-picture.ts'
import { Viewer } from './viewer.tsx'

export const isVideoFile = ({ contentType }: OutputView): boolean => contentType.startsWith('video/')

/** The same button in both states keeps the focus. */
export function CompareButton({ pressed, onPress }: { pressed: boolean; onPress: (pressed: boolean) => void }) {
  const { t } = useLingui()
  return (
    <button
      type="button"
      aria-label={pressed ? t`Selesai membandingkan` : undefined}
      className="btn gap-2 rounded-full border-0 bg-[rgb(24_18_12/0.72)] px-3 font-semibold text-white text-[min(0.875rem,18px)] [--size:min(2.75rem,52px)]"
      onClick={() => onPress(!pressed)}
    >
      {pressed ? (
        t`Selesai`
      ) : (
        <>
          <SquareSplitHorizontal aria-hidden className="size-5" />
          {t`Bandingkan`}
        </>
      )}
    </button>
  )
}

/** `progress` is that of a rendering, null without one. */
export function OutputFile({
  file,
  drawing,
  beforeUrl,
  progress,
}: {
  file: OutputView
  /** Its look, if the device can draw it. */
  drawing: ReactNode
  beforeUrl: string | null
  progress: number | null
}) {
  const { t } = useLingui()
  const over = progress !== null && <RerenderProgress progress={progress} video={isVideoFile(file)} />
  if (isVideoFile(file)) {
    if (beforeUrl) {
      return (
        <VideoComparison file={file} beforeUrl={beforeUrl}>
          {over}
        </VideoComparison>
      )
    }
    return (
      <PictureFrame url={null} size={file} alt="" over={over}>
        {/* biome-ignore lint/a11y/useMediaCaption: the video is the user's own */}
        <video
          src={file.url}
          controls
          playsInline
          className="checker absolute inset-0 size-full rounded-lg"
          aria-label={t`Hasil edit`}
        />
      </PictureFrame>
    )
  }
  if (drawing) {
    return (
      <PictureFrame url={null} size={{ width: 1, height: 1 }} alt="" over={over}>
        {drawing}
      </PictureFrame>
    )
  }
  return (
    <div className="stage relative grid place-content-center justify-items-center gap-3 p-6 text-center">
      <FileText aria-hidden className="size-16 text-primary" />
      <p className="font-semibold">{file.name}</p>
      <p className="text-muted text-sm">
        {formatName(file.contentType)}, {formatBytes(file.bytes)}
      </p>
      {over}
    </div>
  )
}

/** Seconds of drift before one video is corrected. */
const maxDriftSeconds = 0.08

function VideoComparison({ file, beforeUrl, children }: { file: OutputView; beforeUrl: string; children: ReactNode }) {
  const { t } = useLingui()
  const before = useRef<HTMLVideoElement>(null)
  const follow = ({ currentTarget: { currentTime, paused } }: { currentTarget: HTMLVideoElement }) => {
    const other = before.current
    if (!other) return
    if (Math.abs(other.currentTime - currentTime) > maxDriftSeconds) other.currentTime = currentTime
    if (paused) other.pause()
    else if (other.paused) other.play().catch(() => undefined)
  }
  const shared = { className: 'absolute inset-0 size-full', muted: true, playsInline: true }
  return (
    <Viewer
      size={file}
      name={t`Hasil`}
      before={<video ref={before} src={beforeUrl} aria-label={t`Video sebelum diedit`} {...shared} />}
      after={
        <video
          src={file.url}
          autoPlay
          loop
          aria-label={t`Hasil edit`}
          onPlay={follow}
          onPause={follow}
          onSeeked={follow}
          onTimeUpdate={follow}
          {...shared}
        />
      }
    >
      {children}
    </Viewer>
  )
}

function RerenderProgress({ progress, video }: { progress: number; video: boolean }) {
  const { t } = useLingui()
  const label = video ? t`Memasang latar baru, gratis…` : t`Menggambar ulang…`
  return (
    <div className="rerender-progress absolute inset-x-4 mx-auto grid max-w-md gap-2 rounded-box bg-base-100 px-4 py-3 text-left text-sm shadow-card">
      <p role="status" className="font-semibold">
        {label}
      </p>
      <progress className="progress progress-primary" value={progress} max={1} aria-label={label} />
      <RemainingTime progress={progress} />
    </div>
  )
}

export function UnopenedResult({ onRetry }: { onRetry: () => void }) {
  const { t } = useLingui()
  return (
    <div className="absolute inset-0 grid content-center-safe justify-center overflow-y-auto p-4">
      <div role="alert" className="grid justify-items-center gap-2 rounded-box bg-base-100 p-4 text-center shadow-lift">
        <p className="font-semibold">{t`Hasil belum bisa dibuka`}</p>
        <p className="text-muted text-sm">{t`Hasilmu aman di Riwayat. Periksa internetmu, lalu coba lagi.`}</p>
        <Button variant="soft" onClick={onRetry}>{t`Coba lagi`}</Button>
      </div>
    </div>
  )
}

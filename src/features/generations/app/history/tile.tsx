import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Ban, CircleAlert, Clock, CloudUpload, ImageOff, Play, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatAge } from '#client/format.ts'
import type { UploadItem, UploadState } from '#features/uploads/app/uploads.ts'
import type { GenerationView } from '../../types.ts'
import { statusBadges } from '../labels.ts'
import { isOpen } from '../queries.ts'
import { isReturned } from '../result/claim.tsx'

function Badge({ tone, icon, children }: { tone: string; icon: ReactNode; children: ReactNode }) {
  return (
    <span
      className={`absolute bottom-2 left-2 flex max-w-[calc(100%-1rem)] items-center gap-1.5 rounded-2xl px-2.5 py-1 font-semibold text-xs ${tone}`}
    >
      {icon}
      <span>{children}</span>
    </span>
  )
}

function Ring({ share }: { share: number }) {
  return (
    <svg viewBox="0 0 20 20" className="-rotate-90 size-4" aria-hidden="true">
      <circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" strokeWidth="3" opacity="0.25" />
      <circle
        cx="10"
        cy="10"
        r="8"
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        strokeLinecap="round"
        strokeDasharray={`${Math.max(0.04, share) * 50.3} 50.3`}
      />
    </svg>
  )
}

const dark = 'bg-[rgb(24_18_12/0.78)] text-white'

/** A generation as a small picture with its state. */
export function GenerationTile({
  generation,
  localUrl = null,
  onOpen,
  caption,
}: {
  generation: GenerationView
  /**
   * The picture on this device that it is made from, where it is at hand: shown until there is a
   * result.
   */
  localUrl?: string | null
  onOpen: () => void
  caption?: ReactNode
}) {
  const { t, i18n } = useLingui()
  const { status } = generation
  const open = isOpen(generation)
  const [source] = generation.inputs
  const picture = generation.thumbnailUrl ?? localUrl ?? (source?.contentType.startsWith('image/') ? source.url : null)
  const returned = isReturned(generation)
  const state = returned ? t`Kredit kembali` : i18n._(statusBadges[status])
  const age = formatAge(generation.createdAt)
  return (
    <button type="button" onClick={onOpen} className="group block w-full cursor-pointer rounded-box text-left">
      <span className="sr-only">{caption ? `${state}, ` : t`${state}, ${age}`}</span>
      <span
        aria-hidden
        className={`relative aspect-square overflow-hidden rounded-box border border-line/70 shadow-card transition-transform group-active:scale-97 ${status === 'succeeded' ? 'grid grid-cols-[100%] grid-rows-[100%] place-items-center bg-base-200 *:max-h-full *:max-w-full' : 'block bg-base-300'}`}
      >
        {picture ? (
          <img
            src={picture}
            alt=""
            loading="lazy"
            decoding="async"
            className={`${status === 'succeeded' ? 'checker' : 'size-full object-cover'} ${open ? 'opacity-70' : ''} ${status === 'failed' || status === 'cancelled' || returned ? 'opacity-40 grayscale' : ''}`}
          />
        ) : (
          <span className="grid size-full place-items-center text-muted">
            {open ? null : <ImageOff aria-hidden className="size-8" />}
          </span>
        )}
        {open && <span className="working" />}
        {status === 'queued' && (
          <Badge tone={dark} icon={<Clock aria-hidden className="size-4 shrink-0" />}>
            {state}
          </Badge>
        )}
        {(status === 'detecting' || status === 'generating') && (
          <Badge tone={dark} icon={<Ring share={generation.progress} />}>
            {state}
          </Badge>
        )}
        {generation.outputs[0]?.contentType.startsWith('video/') && (
          <Badge tone={dark} icon={<Play aria-hidden className="size-4 shrink-0" />}>
            {t`Video`}
          </Badge>
        )}
        {status === 'failed' && (
          <Badge tone="bg-error text-error-content" icon={<CircleAlert aria-hidden className="size-4 shrink-0" />}>
            {state}
          </Badge>
        )}
        {returned && (
          <Badge tone={dark} icon={<Undo2 aria-hidden className="size-4 shrink-0" />}>
            {state}
          </Badge>
        )}
        {status === 'cancelled' && (
          <Badge tone={dark} icon={<Ban aria-hidden className="size-4 shrink-0" />}>
            {state}
          </Badge>
        )}
      </span>
      {caption}
    </button>
  )
}

const uploadBadges: Record<UploadState, MessageDescriptor> = {
  waiting: msg`Menunggu koneksi`,
  sending: msg`Mengunggah`,
  sign_in: msg`Masuk lagi`,
  credits: msg`Kredit kurang`,
  confirm: msg`Harga berubah`,
  sent: msg`Terkirim`,
  refused: msg`Ditolak`,
  cancelling: msg`Membatalkan`,
}

/** An upload that has not arrived, as a small picture with its state. */
export function UploadTile({
  upload,
  progress,
  previewUrl,
}: {
  upload: UploadItem
  progress: number
  previewUrl: string | null
}) {
  const { i18n } = useLingui()
  const first = upload.state === 'waiting' && upload.attempts === 0
  const state = i18n._(first ? uploadBadges.sending : uploadBadges[upload.state])
  const asks =
    upload.state === 'refused' || upload.state === 'credits' || upload.state === 'confirm' || upload.state === 'sign_in'
  return (
    <span className="relative block aspect-square overflow-hidden rounded-box border border-line/70 bg-base-300 shadow-card">
      {previewUrl && <img src={previewUrl} alt="" className="size-full object-cover opacity-70" />}
      {upload.state === 'sending' && <span className="working" />}
      <Badge
        tone={asks ? 'bg-warning text-warning-content' : dark}
        icon={
          upload.state === 'sending' ? (
            <Ring share={progress} />
          ) : (
            <CloudUpload aria-hidden className="size-4 shrink-0" />
          )
        }
      >
        {state}
      </Badge>
    </span>
  )
}

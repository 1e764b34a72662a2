import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Ban, CircleAlert, Clock, CloudUpload, ImageOff, type LucideIcon, Play, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { onlineAtom } from '#client/connection.ts'
import { formatAge } from '#client/format.ts'
import { needsUserAction, type UploadItem, type UploadState, useJob } from '#features/uploads/app/uploads.ts'
import { findToolPage } from '#tools/pages.ts'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import { ToolIcon } from '#tools/ui/tool-picture.tsx'
import { isOpenStatus } from '../../rules.ts'
import type { GenerationView } from '../../schemas.ts'
import { statusBadges } from '../labels.ts'
import { isRemovedByRefund } from '../result/refund-request.tsx'

const dark = 'bg-[rgb(24_18_12/0.78)] text-white'

function Badge({
  tone = dark,
  icon: Icon,
  share,
  children,
}: {
  tone?: string
  icon: LucideIcon
  share?: number | undefined
  children: ReactNode
}) {
  return (
    <span
      className={`absolute bottom-2 left-2 flex max-w-[calc(100%-1rem)] items-center gap-[min(0.375rem,6px)] rounded-2xl px-[min(0.625rem,10px)] py-1 font-semibold text-[min(0.75rem,14px)] ${tone}`}
    >
      {share === undefined ? <Icon aria-hidden className="size-[min(1rem,18px)] shrink-0" /> : <Ring share={share} />}
      <span>{children}</span>
    </span>
  )
}

function Ring({ share }: { share: number }) {
  const circle = { cx: 10, cy: 10, r: 8, fill: 'none', stroke: 'currentColor', strokeWidth: 3 }
  return (
    <svg viewBox="0 0 20 20" className="size-[min(1rem,18px)] -rotate-90" aria-hidden="true">
      <circle {...circle} opacity="0.25" />
      <circle {...circle} strokeLinecap="round" strokeDasharray={`${Math.max(0.04, share) * 50.3} 50.3`} />
    </svg>
  )
}

const icons = {
  queued: Clock,
  detecting: Clock,
  generating: Clock,
  succeeded: null,
  failed: CircleAlert,
  cancelled: Ban,
} as const

export const tileGrid =
  'history-grid grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-x-3.5 gap-y-5 lg:grid-cols-[repeat(auto-fill,minmax(12rem,1fr))] lg:gap-x-5 lg:gap-y-7'

/** Name of the tool above `children`. */
export function TileCaption({ tool, children }: { tool: string; children: ReactNode }) {
  const { i18n } = useLingui()
  const page = findToolPage(tool)
  return (
    <span className="mt-1.5 flex items-start gap-2 px-1 text-sm">
      {page && <ToolIcon mark={page.icon} className="size-5 shrink-0" />}
      <span className="grid min-w-0 flex-1 leading-snug">
        <span className="line-clamp-2 font-semibold">{page ? i18n._(page.definition.label) : tool}</span>
        <span className="text-muted text-xs">{children}</span>
      </span>
    </span>
  )
}

export function GenerationTile({
  generation,
  localUrl = null,
  onOpen,
  caption,
}: {
  generation: GenerationView
  localUrl?: string | null
  onOpen: () => void
  caption?: ReactNode
}) {
  const { t, i18n } = useLingui()
  const { status, outputs, progress } = generation
  const open = isOpenStatus(generation.status)
  const [source] = generation.inputs
  const picture = generation.thumbnailUrl ?? localUrl ?? (source?.contentType.startsWith('image/') ? source.url : null)
  const returned = isRemovedByRefund(generation)
  const state = returned ? t`Kredit kembali` : i18n._(statusBadges[status])
  const age = formatAge(generation.createdAt)
  const faded = returned || (!open && status !== 'succeeded')
  const icon = returned ? Undo2 : icons[status]
  return (
    <button type="button" onClick={onOpen} className="group block w-full cursor-pointer rounded-box text-left">
      <span className="sr-only">
        {[state, outputs[0]?.name, caption ? '' : age].filter((part) => part !== undefined).join(', ')}
      </span>
      <span
        aria-hidden
        className="relative block aspect-square overflow-hidden rounded-box border border-line/70 bg-base-300 shadow-card transition-transform group-active:scale-97"
      >
        {picture ? (
          <img
            src={picture}
            alt=""
            loading="lazy"
            decoding="async"
            className={`size-full thumbnail-picture ${status === 'succeeded' ? 'checker' : ''} ${open ? 'opacity-70' : ''} ${faded ? 'opacity-40 grayscale' : ''}`}
          />
        ) : (
          <span className="grid size-full place-items-center text-muted">
            {open ? null : <ImageOff aria-hidden className="size-8" />}
          </span>
        )}
        {open && <span className="working" />}
        {outputs[0]?.contentType.startsWith('video/') && <Badge icon={Play}>{t`Video`}</Badge>}
        {icon && (
          <Badge
            tone={status === 'failed' ? 'bg-error text-error-content' : dark}
            icon={icon}
            share={open && status !== 'queued' ? progress : undefined}
          >
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
  unreadable: msg`Pilih lagi`,
  cancelling: msg`Membatalkan`,
}

/** Opens the list of uploads. */
export function UploadButton({ upload, onOpen }: { upload: UploadItem; onOpen: () => void }) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      className="block w-full cursor-pointer rounded-box text-left"
      onClick={onOpen}
    >
      <UploadTile upload={upload} />
    </button>
  )
}

export function UploadTile({ upload, localUrl = null }: { upload: UploadItem; localUrl?: string | null }) {
  const { i18n } = useLingui()
  const { progress } = useJob(upload.id)
  const preview = useObjectUrl(upload.preview)
  const url = localUrl ?? preview
  const online = useAtomValue(onlineAtom)
  const sending = upload.state === 'sending' && online
  const first = upload.state === 'waiting' && upload.attempts === 0 && online
  const state = upload.state === 'sending' && !online ? 'waiting' : upload.state
  return (
    <span className="relative block aspect-square w-full overflow-hidden rounded-box border border-line/70 bg-base-300 shadow-card">
      {url && <img src={url} alt="" className="size-full thumbnail-picture opacity-70" />}
      {sending && <span className="working" />}
      <Badge
        tone={needsUserAction(upload) ? 'bg-warning text-warning-content' : dark}
        icon={CloudUpload}
        share={sending ? progress : undefined}
      >
        {i18n._(first ? uploadBadges.sending : uploadBadges[state])}
      </Badge>
    </span>
  )
}

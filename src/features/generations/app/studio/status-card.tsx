import { useLingui } from '@lingui/react/macro'
import type { ToolView } from '#tools/contract/schemas.ts'
import '#ui/late-components.css'
import { TriangleAlert } from 'lucide-react'
import { createContext, type ReactNode, use, useState } from 'react'
import type { Icon } from '#ui/button.tsx'

const tones = {
  busy: 'bg-soft text-on-soft',
  bad: 'bg-error/12 text-error',
  wait: 'bg-warning/12 text-warning',
} as const

interface StatusCardProps {
  tone: keyof typeof tones
  icon: Icon
  title: string
  children?: ReactNode
  /** Progress from 0 to 1. */
  share?: number | undefined
  actions?: ReactNode
}

export function StatusCard({ tone, icon: Icon, title, children, share, actions }: StatusCardProps) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-start gap-3.5">
        <span className={`grid size-11 shrink-0 place-items-center rounded-2xl ${tones[tone]}`}>
          <Icon aria-hidden className={`size-5.5 ${tone === 'busy' ? 'animate-pulse' : ''}`} />
        </span>
        <div className="wrap-anywhere min-w-[min(9rem,100%)] flex-1" role="status">
          <p className="font-bold text-lg leading-snug">{title}</p>
          {children && <div className="mt-0.5 text-muted text-sm leading-relaxed">{children}</div>}
        </div>
      </div>
      {share !== undefined && (
        <progress className="progress progress-primary" value={share} max={1} aria-label={title} />
      )}
      {actions && <div className="grid gap-2.5">{actions}</div>}
    </div>
  )
}

const noticeTones = { error: 'text-error', warning: 'text-warning' } as const

/** True for notes that lie on a picture, which they must not hide. */
export const OnPicture = createContext(false)

/** On a picture a warning is one line, which opens; an error, which blocks the start, is whole. */
export function NoticeList({ tone, sentences }: { tone: keyof typeof noticeTones; sentences: readonly string[] }) {
  const folds = use(OnPicture)
  const [toggled, setToggled] = useState<string | null>(null)
  const isOpen = (sentence: string) => (toggled === sentence) !== (tone === 'error')
  if (sentences.length === 0) return null
  return (
    <ul
      className="grid grid-cols-1 gap-1 rounded-field px-3.5 py-2 text-sm leading-snug"
      // Opaque, since notices may lie on a picture. A class would be loaded by every page.
      style={{ backgroundColor: `color-mix(in oklab, var(--color-${tone}) 12%, var(--color-base-100))` }}
    >
      {sentences.map((sentence) => (
        <li key={sentence} className={`flex gap-2.5 ${folds ? 'items-center' : ''}`}>
          <TriangleAlert aria-hidden className={`${folds ? '' : 'mt-0.5'} size-4 shrink-0 ${noticeTones[tone]}`} />
          {folds ? (
            <button
              type="button"
              aria-expanded={isOpen(sentence)}
              className="-my-2.5 flex min-h-11 aria-expanded:my-0 min-w-0 flex-1 cursor-pointer items-center text-left"
              onClick={() => setToggled(toggled === sentence ? null : sentence)}
            >
              <span className={`min-w-0 ${isOpen(sentence) ? '' : 'truncate'}`}>{sentence}</span>
            </button>
          ) : (
            sentence
          )}
        </li>
      ))}
    </ul>
  )
}

export function ToolOff({ message }: Pick<ToolView, 'message'>) {
  const { t, i18n } = useLingui()
  return (
    <p role="status" className="rounded-box bg-soft p-5 text-on-soft leading-relaxed">
      {message?.[i18n.locale === 'en' ? 'en' : 'id'] || t`Alat ini sedang dirawat. Coba lagi nanti, ya.`}
    </p>
  )
}

import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { ArrowLeft, WifiOff } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { onlineAtom } from '#client/connection.ts'
import { IconButton } from '#ui/button.tsx'
import { replaceInstantStage } from '#ui/instant-stage.ts'
import { OptionTabs } from '#ui/option-tabs.ts'

export interface Back {
  label: string
  onBack: () => void
}

/** Parts keep their position whatever they contain. */
export function StudioLayout({
  heading,
  back,
  actions,
  stage,
  notes,
  footer,
  children,
}: {
  heading: ReactNode
  back?: Back | undefined
  actions?: ReactNode
  stage: ReactNode
  notes?: ReactNode
  footer?: ReactNode
  children?: ReactNode
}) {
  const { t } = useLingui()
  const online = useAtomValue(onlineAtom)
  const [tabs, setTabs] = useState<HTMLElement | null>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const stageElement = useRef<HTMLDivElement>(null)
  useEffect(() => replaceInstantStage(stageElement.current), [])
  // The pressed control disappeared with the previous screen: focus moves to the new title, which
  // is announced.
  useEffect(() => {
    if (document.activeElement === document.body) title.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className="studio-layout fixed inset-x-0 top-0 bottom-(--prompt-height) z-30 grid grid-cols-1 bg-base-200 pt-[env(safe-area-inset-top)] beside:grid-cols-[minmax(0,1fr)_clamp(min(17rem,50%),39%,25rem)] beside:grid-rows-[auto_minmax(0,1fr)]">
      <div className="studio-bar @container col-start-1 flex min-w-0 items-center [&>.btn]:[--size:min(2.75rem,48px)]">
        {back ? (
          <IconButton icon={ArrowLeft} label={back.label} onClick={back.onBack} />
        ) : (
          <Link to="/" className="btn btn-ghost btn-square" aria-label={t`Ke beranda`}>
            <ArrowLeft aria-hidden className="size-5.5" />
          </Link>
        )}
        <h1 ref={title} tabIndex={-1} className="studio-title">
          {heading}
        </h1>
        {!online && (
          <span className="studio-offline badge badge-neutral badge-sm gap-1.5 rounded-full font-semibold" aria-hidden>
            <WifiOff className="size-4" />
            <span className="max-lg:hidden">{t`Offline`}</span>
          </span>
        )}
        {actions}
      </div>
      <div ref={stageElement} className="studio-stage relative col-start-1 min-h-0">
        {stage}
      </div>
      <div className="studio-sheet z-1 flex min-h-0 min-w-0 flex-col rounded-t-[calc(var(--radius-box)*1.2)] bg-base-100 shadow-[0_-1px_0_color-mix(in_oklab,var(--color-base-300)_75%,transparent),0_-12px_32px_-16px_rgb(20_14_8/0.25)] beside:col-start-2 beside:row-span-2 beside:row-start-1 beside:rounded-none beside:pr-[env(safe-area-inset-right)] beside:shadow-[-1px_0_0_color-mix(in_oklab,var(--color-base-300)_75%,transparent)]">
        <div className="studio-options flex min-h-0 flex-1 flex-col gap-2.5 overflow-y-auto overflow-x-hidden overscroll-contain px-5 pt-3 pb-2 *:shrink-0 lg:gap-5 lg:px-6 lg:py-5 max-lg:low:pt-1.5 max-lg:low:pb-0.5">
          {notes}
          <OptionTabs value={tabs}>{children}</OptionTabs>
        </div>
        <div ref={setTabs} className="px-5 empty:hidden lg:hidden" />
        {footer && (
          <div className="studio-action grid grid-cols-1 gap-1.5 px-5 pt-1.5 pb-[calc(0.625rem+env(safe-area-inset-bottom))] lg:border-line/60 lg:border-t lg:px-6 lg:pt-3 lg:pb-5 max-lg:low:pb-[calc(0.5rem+env(safe-area-inset-bottom))]">
            {footer}
          </div>
        )}
      </div>
    </div>
  )
}

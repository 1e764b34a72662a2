import { useLingui } from '@lingui/react/macro'
import { atom, useAtom, useAtomValue } from 'jotai'
import { ArrowLeft, ChevronDown, WifiOff } from 'lucide-react'
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Link } from 'wouter'
import { onlineAtom } from '#client/connection.ts'
import { IconButton } from '#ui/button.tsx'
import { replaceInstantStage } from '#ui/instant-stage.ts'
import { OptionTabs } from '#ui/option-tabs.ts'
import { OnPicture } from './status-card.tsx'

/**
 * The page behind neither scrolls nor shows its bars. An attribute, since with `:has()` in a rule
 * of the root each change of the document would restyle all of it.
 */
function useWholeScreen() {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset.studio = ''
    return () => {
      delete dataset.studio
    }
  }, [])
}

export interface Back {
  label: string
  onBack: () => void
}

/** Tailwind's `lg`. */
const wide = '(min-width: 64rem)'

function followWidth(onChange: () => void): () => void {
  const query = matchMedia(wide)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** True when the window fits all options of a studio. */
export const useIsWide = (): boolean =>
  useSyncExternalStore(
    followWidth,
    () => matchMedia(wide).matches,
    () => false,
  )

/**
 * Height of the sheet in percent of the screen, as the user dragged it; null for the height that
 * its content needs. The same for all screens, so that the picture stays where it is.
 */
export const sheetHeightAtom = atom<number | null>(null)

/**
 * `notes` lie on the picture, where they take no room from the options; above them if wide. `below`
 * covers nothing of the picture.
 */
export function StudioLayout({
  heading,
  back,
  actions,
  stage,
  below,
  notes,
  footer,
  children,
}: {
  heading: ReactNode
  back?: Back | undefined
  actions?: ReactNode
  stage: ReactNode
  below?: ReactNode
  notes?: ReactNode
  footer?: ReactNode
  children?: ReactNode
}) {
  const { t } = useLingui()
  const online = useAtomValue(onlineAtom)
  const [tabs, setTabs] = useState<HTMLElement | null>(null)
  useWholeScreen()
  const title = useRef<HTMLHeadingElement>(null)
  const stageElement = useRef<HTMLDivElement>(null)
  useEffect(() => replaceInstantStage(stageElement.current), [])
  const isWide = useIsWide()
  const height = useAtomValue(sheetHeightAtom)
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
        {actions}
      </div>
      <div className="col-start-1 grid min-h-0 grid-cols-1 grid-rows-[minmax(0,1fr)_auto]">
        <div ref={stageElement} className="studio-stage relative min-h-0">
          {stage}
          {!online && (
            // The bar has no room for it beside a title and three buttons.
            <span
              className="studio-offline badge badge-neutral badge-sm pointer-events-none absolute top-3 left-3 z-2 gap-1.5 rounded-full font-semibold text-[min(0.75rem,14px)] h-auto"
              aria-hidden
            >
              <WifiOff className="size-4" />
              {t`Offline`}
            </span>
          )}
          {!isWide && <StageNotes>{notes}</StageNotes>}
        </div>
        {below}
      </div>
      <div
        className="studio-sheet z-1 flex min-w-0 beside:min-h-0 flex-col rounded-t-[calc(var(--radius-box)*1.2)] bg-base-100 shadow-[0_-1px_0_color-mix(in_oklab,var(--color-base-300)_75%,transparent),0_-12px_32px_-16px_rgb(20_14_8/0.25)] beside:col-start-2 beside:row-span-2 beside:row-start-1 beside:rounded-none beside:pr-[env(safe-area-inset-right)] beside:shadow-[-1px_0_0_color-mix(in_oklab,var(--color-base-300)_75%,transparent)]"
        data-dragged={height !== null || undefined}
        style={height === null ? undefined : ({ '--sheet-height': `${height}cqh` } as CSSProperties)}
      >
        <SheetHandle />
        <div className="studio-options flex min-h-0 flex-auto flex-col gap-2.5 overflow-y-auto overflow-x-hidden overscroll-contain px-(--pad) pt-1 pb-2 *:shrink-0 beside:pt-3 lg:gap-5 lg:py-5 max-lg:low:pb-0.5 max-lg:on-side:pt-1.5">
          {isWide && notes}
          <OptionTabs value={tabs}>{children}</OptionTabs>
        </div>
        <div ref={setTabs} className="px-(--pad) empty:hidden lg:hidden" />
        {footer && (
          <div className="studio-action @container grid grid-cols-1 gap-1.5 px-(--pad) pt-1.5 pb-[calc(0.625rem+env(safe-area-inset-bottom))] lg:border-line/60 lg:border-t lg:pt-3 lg:pb-5 max-lg:low:pb-[calc(0.5rem+env(safe-area-inset-bottom))]">
            {footer}
          </div>
        )}
      </div>
    </div>
  )
}

/** Moves the notes to the upper edge of the stage if they hide less of the faces there. */
function keepOffFaces(notes: HTMLElement) {
  const stage = notes.parentElement
  if (!stage) return
  const faces = [...stage.querySelectorAll('.face')].map((face) => face.getBoundingClientRect())
  const hidden = (isAbove: boolean) => {
    notes.toggleAttribute('data-above', isAbove)
    const { top, bottom } = notes.getBoundingClientRect()
    const overlap = (face: DOMRect) => Math.max(0, Math.min(bottom, face.bottom) - Math.max(top, face.top))
    return faces.reduce((sum, face) => sum + face.width * overlap(face), 0)
  }
  notes.toggleAttribute('data-above', hidden(true) < hidden(false))
}

/** Can be folded up, since it covers a part of the picture; opens again for another note. */
function StageNotes({ children }: { children: ReactNode }) {
  const { t } = useLingui()
  const notes = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const list = notes.current
    const details = list?.closest('details')
    if (!list || !details) return
    const place = () => keepOffFaces(details)
    const observer = new MutationObserver(() => {
      details.open = true
      place()
    })
    observer.observe(list, { childList: true, characterData: true, subtree: true })
    const resized = new ResizeObserver(place)
    resized.observe(details)
    if (details.parentElement) resized.observe(details.parentElement)
    return () => {
      observer.disconnect()
      resized.disconnect()
    }
  }, [])
  return (
    <details open className="studio-notes pointer-events-none absolute inset-x-0 z-3 overflow-y-auto p-2">
      <summary
        aria-label={t`Catatan di foto`}
        className="pointer-events-auto absolute right-2 bottom-2 grid size-[min(2.75rem,48px)] cursor-pointer list-none place-items-center rounded-full bg-base-100 shadow-lift"
      >
        <ChevronDown aria-hidden className="size-5 in-[details:not([open])]:rotate-180" />
      </summary>
      <div
        ref={notes}
        className="grid max-w-xl grid-cols-1 gap-1.5 in-[details:not([open])]:hidden *:drop-shadow-md [&_:is(a,button,input,label)]:pointer-events-auto"
      >
        <OnPicture value>{children}</OnPicture>
      </div>
    </details>
  )
}

/** Percent of the screen. */
const sheetLimits = { min: 20, max: 85 }
const keyStep = 10

/** From the current height; null restores the content's. */
const heightsByKey: Readonly<Record<string, (now: number) => number | null>> = {
  ArrowUp: (now) => now + keyStep,
  ArrowDown: (now) => now - keyStep,
  Home: () => sheetLimits.min,
  End: () => sheetLimits.max,
  Enter: () => null,
}

/** Drags the sheet; arrow keys move it, Enter and a double tap restore the content's height. */
function SheetHandle() {
  const { t } = useLingui()
  const [height, setHeight] = useAtom(sheetHeightAtom)
  const handle = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(sheetLimits.min)
  const measure = () => {
    const sheet = handle.current?.parentElement?.getBoundingClientRect()
    const whole = handle.current?.closest('.studio-layout')?.getBoundingClientRect()
    if (!sheet || !whole || whole.height === 0) return null
    return { percent: (100 * sheet.height) / whole.height, sheet, whole }
  }
  const noteHeight = () => setCurrent(Math.round(measure()?.percent ?? sheetLimits.min))
  const moveTo = (percent: number) =>
    setHeight(Math.round(Math.min(sheetLimits.max, Math.max(sheetLimits.min, percent))))
  const grip = useRef<number | null>(null)

  function onPointerDown(event: PointerEvent) {
    const at = measure()
    if (!at || event.button !== 0) return
    handle.current?.setPointerCapture(event.pointerId)
    grip.current = event.clientY - at.sheet.top
  }
  function onPointerMove(event: PointerEvent) {
    const at = grip.current === null ? null : measure()
    if (!at || grip.current === null) return
    moveTo((100 * (at.whole.bottom - event.clientY + grip.current)) / at.whole.height)
  }
  function onKeyDown(event: KeyboardEvent) {
    const now = measure()?.percent ?? sheetLimits.min
    const target = heightsByKey[event.key]?.(now)
    if (target === undefined) return
    event.preventDefault()
    if (target === null) setHeight(null)
    else moveTo(target)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      ref={handle}
      role="separator"
      aria-orientation="horizontal"
      aria-label={t`Tinggi panel pilihan`}
      aria-valuemin={sheetLimits.min}
      aria-valuemax={sheetLimits.max}
      aria-valuenow={height ?? current}
      tabIndex={0}
      className="studio-handle relative grid h-5 shrink-0 cursor-row-resize touch-none select-none place-items-center rounded-t-[inherit] before:absolute before:inset-x-0 before:-top-4 before:bottom-0 after:h-1 after:w-10 after:rounded-full after:bg-base-content/25 beside:hidden"
      onFocus={noteHeight}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        grip.current = null
      }}
      onPointerCancel={() => {
        grip.current = null
      }}
      onDoubleClick={() => setHeight(null)}
      onKeyDown={onKeyDown}
    />
  )
}

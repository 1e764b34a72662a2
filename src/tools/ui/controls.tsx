import '#ui/late-components.css'
import { useLingui } from '@lingui/react/macro'
import { Check, type LucideIcon, Pipette } from 'lucide-react'
import { type ComponentProps, type ReactNode, use, useId, useRef, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { OptionTabs } from '#ui/option-tabs.ts'
import type { PanelProps } from './page.ts'
import { useChosenInView } from './use-chosen-in-view.ts'

export interface OptionSection {
  id: string
  label: string
  icon: LucideIcon
  content: ReactNode
  changed?: boolean
}

/**
 * On phones one section at a time, chosen by the buttons below; elsewhere all, beside the picture.
 */
export function OptionSections({
  sections: given,
  onOpen,
}: {
  sections: (OptionSection | false | null)[]
  /** Phones only; elsewhere all sections are open. */
  onOpen?: (id: string) => void
}) {
  const { t } = useLingui()
  const sections = given.filter(Boolean) as OptionSection[]
  const [chosen, setChosen] = useState(sections[0]?.id)
  const prefix = useId()
  const tabs = use(OptionTabs)
  const open = sections.some(({ id }) => id === chosen) ? chosen : sections[0]?.id
  const all = useRef<HTMLDivElement>(null)
  const choose = (id: string) => {
    flushSync(() => {
      setChosen(id)
      onOpen?.(id)
    })
    // Earlier content may leave no room for the requested section.
    all.current?.scrollIntoView()
  }
  return (
    <div ref={all} className="flex flex-col gap-1 lg:gap-5">
      {sections.map(({ id, label, content }) => (
        <section
          key={id}
          id={`${prefix}${id}`}
          aria-label={label}
          className={`min-h-26 content-center lg:block lg:min-h-0 ${id === open ? 'grid grid-cols-1' : 'hidden'}`}
        >
          <h2 className="mb-2 hidden font-semibold text-sm lg:block">{label}</h2>
          {content}
        </section>
      ))}
      {tabs &&
        sections.length > 1 &&
        createPortal(
          <div
            role="toolbar"
            aria-label={t`Kelompok pilihan`}
            className="flex gap-1 overflow-x-auto [scrollbar-width:none] lg:hidden"
          >
            {sections.map(({ id, label, icon: Icon, changed }) => (
              <button
                key={id}
                type="button"
                aria-pressed={id === open}
                aria-controls={`${prefix}${id}`}
                onClick={() => choose(id)}
                className="relative flex min-h-12 flex-col items-center justify-center gap-0.5 whitespace-nowrap rounded-xl text-[min(0.75rem,4.2vmin)] text-muted aria-pressed:bg-soft aria-pressed:font-semibold aria-pressed:text-on-soft"
              >
                <Icon aria-hidden className="size-[min(1.25rem,24px)]" />
                {label}
                {changed && <span aria-hidden className="absolute top-1.5 ml-8 size-1.5 rounded-full bg-primary" />}
              </button>
            ))}
          </div>,
          tabs,
        )}
    </div>
  )
}

export const optionProps = <Params, Name extends keyof Params>(
  { params, onChange }: Pick<PanelProps<Params>, 'params' | 'onChange'>,
  name: Name,
) => ({
  value: params[name],
  onChange: (value: Params[Name]) => onChange({ [name]: value } as unknown as Partial<Params>),
})

export function Switch({
  label,
  hint,
  value,
  disabled = false,
  onChange,
}: {
  label: string
  hint?: string
  value: boolean
  disabled?: boolean
  onChange: (value: boolean) => void
}) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center justify-between gap-4">
      <span className="wrap-anywhere flex min-w-0 flex-col">
        <span className="font-medium text-sm">{label}</span>
        {hint && <span className="text-muted text-xs">{hint}</span>}
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={value}
        className="toggle toggle-primary shrink-0"
        checked={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  )
}

/** For a share, shown in percent unless `text` formats it. */
export function Range({
  label,
  value,
  text,
  min = 0,
  max = 1,
  parts = 100,
  step = 5,
  onChange,
}: {
  label: string
  value: number
  text?: string
  min?: number
  max?: number
  /** Steps of the slider for each 1 of the value. */
  parts?: number
  /** Smallest movement in steps. */
  step?: number
  onChange: (value: number) => void
}) {
  const finer = step < 1 ? 10 : 1
  const shown = Math.round(value * parts * finer) / finer
  const words = text ?? `${shown}%`
  return (
    <label className="flex min-h-11 items-center gap-3 text-sm">
      <span className="w-20 shrink-0 font-medium">{label}</span>
      <input
        type="range"
        className="range range-primary range-xs min-w-0 flex-1"
        min={Math.round(min * parts)}
        max={Math.round(max * parts)}
        step={step}
        value={shown}
        aria-valuetext={words}
        onChange={(event) => onChange(event.target.valueAsNumber / parts)}
      />
      <output className="w-12 shrink-0 text-right tabular-nums">{words}</output>
    </label>
  )
}

export function OptionButton({
  icon: Icon,
  className = '',
  children,
  ...rest
}: ComponentProps<'button'> & { icon: LucideIcon }) {
  return (
    <button
      type="button"
      className={`btn btn-ghost btn-sm min-h-11! justify-start gap-2 aria-pressed:bg-soft ${className}`}
      {...rest}
    >
      <Icon aria-hidden className="size-5" />
      {children}
    </button>
  )
}

/** Scrolls on phones; elsewhere columns by `className`. */
export function ChoiceRow({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  return (
    <fieldset
      ref={useChosenInView()}
      aria-label={label}
      className={`-mx-(--pad) flex min-w-0 overflow-x-auto px-(--pad) py-1 [scrollbar-width:none] lg:mx-0 lg:grid lg:overflow-visible lg:px-0 ${className}`}
    >
      {children}
    </fieldset>
  )
}

/** As wide as its caption in the row of a phone, as its column beside the picture. */
export const choiceTile =
  'group flex w-max min-w-16 shrink-0 flex-col items-center gap-1 rounded-xl text-xs lg:w-auto lg:min-w-0'

export const choiceCaption = 'whitespace-nowrap text-center lg:wrap-anywhere lg:whitespace-normal lg:leading-tight'

export function Swatch({
  caption,
  checked,
  onSelect,
  children,
  className = '',
  color,
  tick = 'text-white',
}: {
  /** Shown below the swatch, also its accessible name. */
  caption: string
  checked: boolean
  onSelect: () => void
  children?: ReactNode
  className?: string
  color?: string
  tick?: string | undefined
}) {
  return (
    <button
      type="button"
      aria-pressed={checked}
      onClick={onSelect}
      className="group flex w-16 shrink-0 flex-col lg:w-auto items-center gap-1.5 rounded-xl py-1 text-xs"
    >
      <span
        className={`grid size-11 place-items-center overflow-hidden rounded-full ring-1 ring-base-content/15 ring-inset transition-shadow group-aria-pressed:outline-2 group-aria-pressed:outline-primary group-aria-pressed:outline-offset-2 ${className}`}
        style={color ? { backgroundColor: color } : undefined}
      >
        {children}
        {checked && !children && <Check aria-hidden className={`size-5 ${tick}`} />}
      </span>
      <span className="flex w-full justify-center whitespace-nowrap lg:text-[0.6875rem]">{caption}</span>
    </button>
  )
}

/** Colours are in lower case like the chosen one. */
export function ColorSwatches<Known extends { color: string; label: string; tick?: string }>({
  colors,
  color,
  onPick,
}: {
  colors: readonly Known[]
  color: string | null
  onPick: (known: Known) => void
}) {
  return colors.map((known) => (
    <Swatch
      key={known.color}
      caption={known.label}
      color={known.color}
      tick={known.tick}
      checked={color === known.color}
      onSelect={() => onPick(known)}
    />
  ))
}

export function ColorPicker({
  label,
  caption,
  checked,
  color,
  onPick,
}: {
  label: string
  caption: string
  checked: boolean
  color: string
  onPick: (color: string) => void
}) {
  return (
    <label className="group relative flex w-16 shrink-0 cursor-pointer flex-col items-center gap-1.5 rounded-xl py-1 text-xs has-focus-visible:outline-2 has-focus-visible:outline-primary">
      <span
        data-checked={checked || undefined}
        className="grid bg-[conic-gradient(#f43f5e,#fb923c,#facc15,#4ade80,#22d3ee,#818cf8,#e879f9,#f43f5e)] size-11 place-items-center rounded-full data-checked:outline-2 data-checked:outline-primary data-checked:outline-offset-2"
      >
        <span
          className="grid size-8 place-items-center rounded-full bg-base-100"
          style={checked ? { backgroundColor: color } : undefined}
        >
          {!checked && <Pipette aria-hidden className="size-4" />}
        </span>
      </span>
      <input
        type="color"
        aria-label={label}
        value={color}
        onChange={(event) => onPick(event.target.value)}
        className="absolute inset-0 size-full cursor-pointer opacity-0"
      />
      <span className="flex w-full justify-center whitespace-nowrap lg:text-[0.6875rem]">{caption}</span>
    </label>
  )
}

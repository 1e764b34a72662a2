import { useLingui } from '@lingui/react/macro'
import { Check, type LucideIcon, Pipette } from 'lucide-react'
import { type ReactNode, use, useId, useState } from 'react'
import { createPortal } from 'react-dom'
import { OptionTabs } from '#ui/option-tabs.ts'

export interface OptionSection {
  id: string
  label: string
  icon: LucideIcon
  content: ReactNode
  /** Whether something here differs from what the tool would do by itself. */
  changed?: boolean
}

/**
 * Groups of options: on phones one at a time, chosen by the row of buttons below them; elsewhere
 * all below each other, beside the picture.
 */
export function OptionSections({
  sections,
  onOpen,
}: {
  sections: OptionSection[]
  /** Another section was opened; only on phones, elsewhere all are open. */
  onOpen?: (id: string) => void
}) {
  const { t } = useLingui()
  const [chosen, setChosen] = useState(sections[0]?.id)
  const prefix = useId()
  const tabs = use(OptionTabs)
  const open = sections.some(({ id }) => id === chosen) ? chosen : sections[0]?.id
  return (
    <div className="flex flex-col gap-1 lg:gap-5">
      {sections.map(({ id, label, content }) => (
        <section
          key={id}
          id={`${prefix}${id}`}
          aria-label={label}
          className={`min-h-26 content-center lg:block lg:min-h-0 ${id === open ? 'grid' : 'hidden'}`}
        >
          <h2 className="mb-2 hidden font-semibold text-sm lg:block">{label}</h2>
          {content}
        </section>
      ))}
      {tabs &&
        sections.length > 1 &&
        createPortal(
          <div role="toolbar" aria-label={t`Pilihan`} className="flex gap-1 lg:hidden">
            {sections.map(({ id, label, icon: Icon, changed }) => (
              <button
                key={id}
                type="button"
                aria-pressed={id === open}
                aria-controls={`${prefix}${id}`}
                onClick={() => {
                  setChosen(id)
                  onOpen?.(id)
                }}
                className="relative flex min-h-12 flex-1 flex-col items-center justify-center gap-0.5 rounded-xl text-[min(0.75rem,4.2vw)] text-muted aria-pressed:bg-soft aria-pressed:font-semibold aria-pressed:text-on-soft"
              >
                <Icon aria-hidden className="size-5" />
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

/** On or off, with a word on what it does. */
export function Switch({
  label,
  hint,
  checked,
  disabled = false,
  onChange,
}: {
  label: string
  hint?: string
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center justify-between gap-4">
      <span className="flex flex-col">
        <span className="font-medium text-sm">{label}</span>
        {hint && <span className="text-muted text-xs">{hint}</span>}
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        className="toggle toggle-primary shrink-0"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  )
}

/** A number along a line, with its value in words. */
export function Range({
  label,
  value,
  text,
  min,
  max,
  step,
  onChange,
}: {
  label: string
  value: number
  text: string
  min: number
  max: number
  step: number
  onChange: (value: number) => void
}) {
  return (
    <label className="flex min-h-11 items-center gap-3 text-sm">
      <span className="w-20 shrink-0 font-medium">{label}</span>
      <input
        type="range"
        className="range range-primary range-xs min-w-0 flex-1"
        min={min}
        max={max}
        step={step}
        value={value}
        aria-valuetext={text}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
      <output className="w-12 shrink-0 text-right tabular-nums">{text}</output>
    </label>
  )
}

/** A round button showing what it gives: a colour, a pattern, a picture. */
export function Swatch({
  caption,
  checked,
  onSelect,
  children,
  className = '',
  color,
  tick = 'text-white',
}: {
  /** Shown under the swatch; names it for everybody. */
  caption: string
  checked: boolean
  onSelect: () => void
  children?: ReactNode
  className?: string
  color?: string
  tick?: string
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

/** A swatch that opens the device's colour picker. */
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

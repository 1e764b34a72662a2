import type { ReactNode } from 'react'
import type { PassportRule } from '../contract/definition.ts'
import { photoSize } from '../contract/rule.ts'
import { framePhoto } from '../engine/frame.ts'
import type { SmallPerson } from './portrait-sample.tsx'

/** Placeholder with the eyes and chin of `figure`. */
const silhouette =
  'M36 12c8 0 13 6 13 15.500S43 46 36 46s-13-9-13-18.500S28 12 36 12zM6 92c1-22 12-36 30-36s29 14 30 36z'
const figure = {
  width: 72,
  height: 92,
  centre: { x: 36, y: 28 },
  roll: 0,
  eyesToChin: 18,
  eyesToCrown: 16,
}

export function PhotoSample({
  person,
  rule,
  colour,
  height,
}: {
  person: SmallPerson | null
  rule: PassportRule
  colour: string
  height: number
}) {
  const full = photoSize(rule)
  const { placement } = framePhoto(person?.portrait ?? figure, rule)
  return (
    <svg
      aria-hidden
      width={Math.round((height * full.width) / full.height)}
      height={height}
      viewBox={`0 0 ${full.width} ${full.height}`}
      preserveAspectRatio="none"
      className="sample-picture rounded-[3px] ring-1 ring-base-content/20"
    >
      <rect width="100%" height="100%" fill={colour} />
      <g transform={`translate(${placement.x} ${placement.y}) scale(${placement.scale})`}>
        {person ? (
          <image href={person.url} width={person.width} height={person.height} />
        ) : (
          <path d={silhouette} fill="rgb(30 26 22 / 0.55)" />
        )}
      </g>
    </svg>
  )
}

export function SampleButton({
  name,
  large = false,
  checked,
  onSelect,
  children,
}: {
  name: string
  large?: boolean
  checked: boolean
  onSelect: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-pressed={checked}
      onClick={onSelect}
      className={`flex shrink-0 flex-col items-center gap-1 rounded-xl px-1 py-1.5 text-xs aria-pressed:bg-soft aria-pressed:font-semibold aria-pressed:text-on-soft lg:w-auto ${large ? 'w-max min-w-20 max-w-30 text-balance text-center leading-tight lg:min-w-0' : 'w-17'}`}
    >
      {children}
      <span className={large ? 'min-h-[2lh]' : 'whitespace-nowrap'}>{name}</span>
    </button>
  )
}

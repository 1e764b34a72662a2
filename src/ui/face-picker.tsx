import './face-picker/face-picker.css'
import { useLingui } from '@lingui/react/macro'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Box } from '#shared/media.ts'
import type { Size } from './geometry.ts'

/**
 * A tap, Enter or Space picks a face or a person, or releases it; beyond `max` the first one is
 * released.
 */
export function FacePicker({
  faces,
  size,
  picked,
  onPick,
  max = faces.length,
  label,
  people = false,
  badge,
}: {
  /** Boxes in pixels of the picture. */
  faces: readonly { box: Box }[]
  /** `ToolFile.size`, in the same pixels as the boxes. */
  size: Size
  /** In the order of picking. */
  picked: readonly number[]
  onPick: (picked: number[]) => void
  max?: number
  label: string
  /** True if the boxes are around whole people. */
  people?: boolean
  /** Replaces the tick of a picked face. */
  badge?: (index: number) => ReactNode
}) {
  const { t } = useLingui()
  return (
    <fieldset aria-label={label} className="pointer-events-none absolute inset-0">
      {facePositions(faces, size).map(({ index, left, top, width, height }, position) => {
        const number = position + 1
        const on = picked.includes(index)
        return (
          <button
            key={index}
            type="button"
            aria-pressed={on}
            aria-label={people ? t`Orang ${number}` : t`Wajah ${number}`}
            className={`face group ${people ? 'face-person' : ''}`}
            style={{ left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` }}
            onClick={() => onPick(togglePicked(picked, index, max))}
          >
            <span
              aria-hidden
              className="absolute -top-2 -right-2 grid h-7 min-w-7 place-items-center overflow-hidden rounded-full bg-[rgb(24_18_12/0.75)] font-bold text-sm text-white group-aria-pressed:bg-primary group-aria-pressed:text-primary-content has-[.swap-portrait]:size-9"
            >
              {on ? (badge?.(index) ?? <Check className="size-4" strokeWidth={3} />) : number}
            </span>
          </button>
        )
      })}
    </fieldset>
  )
}

/** Enlargement over the detected box, as a share of it, for hair and chin. */
const margin = 0.12

/** Percent of the picture, clipped to it, and numbered from left to right. */
export function facePositions(faces: readonly { box: Box }[], { width, height }: Size) {
  const span = (start: number, length: number, whole: number) => {
    const from = Math.max(0, start - length * margin)
    const to = Math.min(whole, start + length * (1 + margin))
    return { from: (100 * from) / whole, length: (100 * (to - from)) / whole }
  }
  return faces
    .map(({ box }, index) => {
      const [across, down] = [span(box.x, box.width, width), span(box.y, box.height, height)]
      return { index, left: across.from, top: down.from, width: across.length, height: down.length }
    })
    .sort((a, b) => a.left + a.width / 2 - (b.left + b.width / 2))
}

/** Adds the face, or removes it if it was picked; the first gives way beyond `max`. */
export function togglePicked(picked: readonly number[], index: number, max: number): number[] {
  if (picked.includes(index)) return picked.filter((other) => other !== index)
  return [...picked, index].slice(-Math.max(1, max))
}

import { type ReactNode, useEffect, useState } from 'react'
import { type PassportRule, photoSize } from '../contract/definition.ts'
import { framePhoto, type PortraitFacts } from '../engine/frame.ts'
import type { PortraitSample } from '../engine/portrait.ts'

/** Drawn pixels for each pixel of the check's sample. */
const oversampling = 4

export interface SmallPerson {
  url: string
  /** In the pixels of `portrait`. */
  width: number
  height: number
  portrait: PortraitFacts
}

/** A finished result reuses the samples made before the start. */
const personCache = new WeakMap<Blob, SmallPerson>()

/** Cut out on the device by the check's alpha; null if the browser cannot read the photograph. */
export function useSmallPerson(photo: Blob | undefined, facts: Readonly<Record<string, unknown>> | undefined) {
  const [person, setPerson] = useState<SmallPerson | null>(null)
  const sample = facts?.sample as PortraitSample | undefined
  const source = facts?.portrait as PortraitFacts | undefined
  useEffect(() => {
    const known = photo && personCache.get(photo)
    setPerson(known ?? null)
    if (!photo || known || !sample || !source) return
    let current = true
    cutOut(photo, sample, source.width)
      .then((cut) => {
        personCache.set(photo, cut)
        if (current) setPerson(cut)
      })
      .catch(() => undefined)
    return () => {
      current = false
    }
  }, [photo, sample, source])
  return person
}

async function cutOut(photo: Blob, sample: PortraitSample, checkedWidth: number): Promise<SmallPerson> {
  const { placement, width, height, alpha, portrait } = sample
  const bitmap = await createImageBitmap(photo)
  const canvas = document.createElement('canvas')
  canvas.width = width * oversampling
  canvas.height = height * oversampling
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  context.imageSmoothingQuality = 'high'
  // The photograph may have been sent smaller than it is here.
  const scale = (oversampling * placement.scale * checkedWidth) / bitmap.width
  const [cos, sin] = [scale * Math.cos(placement.angle), scale * Math.sin(placement.angle)]
  context.setTransform(cos, sin, -sin, cos, oversampling * placement.x, oversampling * placement.y)
  context.drawImage(bitmap, 0, 0)
  bitmap.close()
  context.setTransform(oversampling, 0, 0, oversampling, 0, 0)
  context.globalCompositeOperation = 'destination-in'
  context.drawImage(alphaCanvas(alpha, width, height), 0, 0)
  return { url: canvas.toDataURL('image/webp', 0.9), width, height, portrait }
}

function alphaCanvas(alpha: string, width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const pixels = new ImageData(width, height)
  const bytes = atob(alpha)
  for (let i = 0; i < bytes.length; i++) pixels.data[4 * i + 3] = bytes.charCodeAt(i)
  canvas.getContext('2d')?.putImageData(pixels, 0, 0)
  return canvas
}

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
      width={(height * full.width) / full.height}
      height={height}
      viewBox={`0 0 ${full.width} ${full.height}`}
      preserveAspectRatio="none"
      className="rounded-[3px] ring-1 ring-base-content/20"
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

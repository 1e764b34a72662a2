import { useEffect, useRef } from 'react'
import type { PassportRule } from '../contract/definition.ts'
import { photoSize } from '../contract/rule.ts'
import { framePhoto } from '../engine/frame.ts'
import type { SmallPerson } from './portrait-sample.tsx'

/** A drawn person, for where none was cut out yet: eyes and chin as they are in `figure`. */
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

/** A small picture of how the person looks by a rule before a colour. */
export function PhotoSample({
  person,
  rule,
  colour,
  height,
}: {
  person: SmallPerson | null
  rule: PassportRule
  colour: string
  /** CSS pixels. */
  height: number
}) {
  const ref = useRef<HTMLCanvasElement>(null)
  const full = photoSize(rule)
  const width = Math.round((height * full.width) / full.height)
  useEffect(() => {
    const canvas = ref.current
    const context = canvas?.getContext('2d')
    if (!canvas || !context) return
    const { place } = framePhoto(person?.portrait ?? figure, rule)
    const scale = (canvas.height / full.height) * place.scale
    const [x, y] = [(place.x * canvas.height) / full.height, (place.y * canvas.height) / full.height]
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.fillStyle = colour
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.imageSmoothingQuality = 'high'
    if (person) {
      context.setTransform(scale / person.finer, 0, 0, scale / person.finer, x, y)
      context.drawImage(person.canvas, 0, 0)
    } else {
      context.setTransform(scale, 0, 0, scale, x, y)
      context.fillStyle = 'rgb(30 26 22 / 0.55)'
      context.fill(new Path2D(silhouette))
    }
  }, [person, rule, colour, full.height])
  return (
    <canvas
      ref={ref}
      width={2 * width}
      height={2 * height}
      style={{ width, height }}
      className="sample-picture rounded-[3px] ring-1 ring-base-content/20"
    />
  )
}

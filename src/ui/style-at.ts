import type { CSSProperties } from 'react'
import type { Similarity } from '#engine/image/geometry.ts'
import type { Size } from './geometry.ts'

export function styleAt(placement: Similarity, picture: Size, frame: Size): CSSProperties {
  const percent = (length: number, of: number) => `${(100 * length) / of}%`
  return {
    position: 'absolute',
    inset: 'auto',
    left: percent(placement.x, frame.width),
    top: percent(placement.y, frame.height),
    width: percent(picture.width * placement.scale, frame.width),
    height: percent(picture.height * placement.scale, frame.height),
    maxWidth: 'none',
    transformOrigin: '0 0',
    transform: placement.angle === 0 ? undefined : `rotate(${placement.angle}rad)`,
  }
}

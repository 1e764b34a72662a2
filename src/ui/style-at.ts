import type { CSSProperties } from 'react'
import type { Similarity } from '#engine/image/geometry.ts'
import type { Size } from './geometry.ts'

export function styleAt(place: Similarity, picture: Size, frame: Size): CSSProperties {
  const percent = (length: number, of: number) => `${(100 * length) / of}%`
  return {
    position: 'absolute',
    inset: 'auto',
    left: percent(place.x, frame.width),
    top: percent(place.y, frame.height),
    width: percent(picture.width * place.scale, frame.width),
    height: percent(picture.height * place.scale, frame.height),
    maxWidth: 'none',
    transformOrigin: '0 0',
    transform: place.angle === 0 ? undefined : `rotate(${place.angle}rad)`,
  }
}

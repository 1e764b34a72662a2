import { compositeAt } from '#engine/image/composite.ts'
import type { Picture } from '#engine/image/picture.ts'
import { resamplePart } from '#engine/image/resample.ts'
import type { Logo } from '../contract/logo.ts'

/** In place. Plain arithmetic, so that previews of the same size are equal. */
export function drawLogo(result: Picture, logo: Logo | null, picture: Picture | undefined): void {
  if (!logo || !picture) return
  const shorter = Math.min(result.width, result.height)
  const scale = (logo.size * shorter) / Math.max(picture.width, picture.height)
  const width = Math.max(1, Math.min(result.width, Math.round(picture.width * scale)))
  const height = Math.max(1, Math.min(result.height, Math.round(picture.height * scale)))
  const margin = Math.round(logo.margin * shorter)
  const along = (space: number, first: boolean) =>
    logo.place === 'center' ? Math.round(space / 2) : Math.max(0, Math.min(space, first ? margin : space - margin))
  const left = along(result.width - width, logo.place.endsWith('left'))
  const top = along(result.height - height, logo.place.startsWith('top'))
  compositeAt(
    result,
    resamplePart(picture, { x: 0, y: 0, ...sizeOf(picture) }, width, height),
    { left, top },
    logo.opacity,
  )
}

const sizeOf = ({ width, height }: Picture) => ({ width, height })

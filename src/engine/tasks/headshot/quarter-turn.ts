import type { Picture } from '#engine/image/picture.ts'
import { resamplePicture } from '#engine/image/resample-similarity.ts'
import { type Similarity, similarityTo } from '#engine/image/similarity.ts'

/**
 * A picture in which heads are tilted by about `roll` (radians, see `headFrame`), scaled by `scale`
 * and turned by quarter turns so that they are tilted by less than an eighth of one, and where its
 * pixels came to. Undefined where they already are. The person model knows people who stand.
 */
export function quarterTurn(
  picture: Picture,
  roll: number,
  scale: number,
): { picture: Picture; place: Similarity } | undefined {
  const quarters = Math.round(roll / (Math.PI / 2))
  if (quarters === 0) return undefined
  const [across, down] = [Math.round(picture.width * scale), Math.round(picture.height * scale)]
  const size = quarters % 2 === 0 ? { width: across, height: down } : { width: down, height: across }
  const place = similarityTo(middleOf(picture), middleOf(size), -quarters * (Math.PI / 2), scale)
  return { picture: resamplePicture(picture, place, size.width, size.height), place }
}

const middleOf = ({ width, height }: Pick<Picture, 'width' | 'height'>) => ({ x: width / 2, y: height / 2 })

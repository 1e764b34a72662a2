import { layOver, plainPicture } from '#engine/image/composite.ts'
import type { Picture } from '#engine/image/picture.ts'
import { smoothstep } from '#engine/image/ramp.ts'
import type { CartoonBackground } from '../contract/definition.ts'

const rays = 14

/** The drawn person on a new background; without one, on transparency. */
export function onBackground(person: Picture, background: Exclude<CartoonBackground, { type: 'picture' }>): Picture {
  const { width, height } = person
  switch (background.type) {
    case 'transparent':
      return person
    case 'color':
      return layOver(person, plainPicture(width, height, background.color))
    case 'burst':
      return layOver(person, burst(width, height, background.color))
  }
}

/**
 * Rays of a lighter and a darker shade of the colour from the middle, as comics put behind what is
 * important.
 */
function burst(width: number, height: number, color: string): Picture {
  const picture = plainPicture(width, height, color)
  const { data } = picture
  const [cx, cy] = [width / 2, height * 0.45]
  const softness = 0.9 / Math.max(width, height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = 4 * (y * width + x)
      const [dx, dy] = [x - cx, y - cy]
      const turn = (Math.atan2(dy, dx) / (2 * Math.PI)) * rays
      const wave = Math.abs(turn - Math.round(turn)) * 2
      const radius = Math.sqrt(dx * dx + dy * dy) / Math.max(width, height)
      const edge = Math.min(0.5, (softness * rays) / Math.max(radius, 1e-3))
      const light = 0.34 * smoothstep(0.5 - edge, 0.5 + edge, wave) * (1 - 0.35 * radius)
      for (let c = 0; c < 3; c++) data[i + c] = (data[i + c] as number) + light * (255 - (data[i + c] as number))
    }
  }
  return picture
}

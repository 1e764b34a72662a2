import type { Picture } from '#engine/image/picture.ts'
import { type Lab, labOf } from '#engine/tasks/colorize/lab.ts'

const radians = (degrees: number) => (degrees * Math.PI) / 180
const hueOf = (a: number, b: number) => (a === 0 && b === 0 ? 0 : ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360)

/** CIEDE2000 colour difference (Sharma, Wu and Dalal 2005). */
export function ciede2000([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number {
  const middle = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2
  const g = 0.5 * (1 - Math.sqrt(middle ** 7 / (middle ** 7 + 25 ** 7)))
  const [p1, p2] = [a1 * (1 + g), a2 * (1 + g)]
  const [c1, c2] = [Math.hypot(p1, b1), Math.hypot(p2, b2)]
  const [h1, h2] = [hueOf(p1, b1), hueOf(p2, b2)]
  let turn = h2 - h1
  if (c1 * c2 === 0) turn = 0
  else if (turn > 180) turn -= 360
  else if (turn < -180) turn += 360
  const dh = 2 * Math.sqrt(c1 * c2) * Math.sin(radians(turn / 2))
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2]
  let h = (h1 + h2) / 2
  if (c1 * c2 === 0) h = h1 + h2
  else if (Math.abs(h1 - h2) > 180) h += h1 + h2 < 360 ? 180 : -180
  const t =
    1 -
    0.17 * Math.cos(radians(h - 30)) +
    0.24 * Math.cos(radians(2 * h)) +
    0.32 * Math.cos(radians(3 * h + 6)) -
    0.2 * Math.cos(radians(4 * h - 63))
  const sl = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2)
  const sc = 1 + 0.045 * c
  const sh = 1 + 0.015 * c * t
  const rotation =
    -2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7)) * Math.sin(radians(60 * Math.exp(-(((h - 275) / 25) ** 2))))
  const [dl, dc, dhh] = [(l2 - l1) / sl, (c2 - c1) / sc, dh / sh]
  return Math.sqrt(dl * dl + dc * dc + dhh * dhh + rotation * dc * dhh)
}

/** Of equal sizes. */
export function meanDifference(a: Picture, b: Picture): number {
  let sum = 0
  for (let i = 0; i < a.data.length; i += 4) {
    const of = ({ data }: Picture) => labOf(data[i] as number, data[i + 1] as number, data[i + 2] as number)
    sum += ciede2000(of(a), of(b))
  }
  return sum / (a.data.length / 4)
}

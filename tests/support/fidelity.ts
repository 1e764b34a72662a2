import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'

/** Peak signal-to-noise ratio in decibels, where the mask is above 0. */
export function psnr(a: Picture, b: Picture, mask?: Plane): number {
  let [sum, count] = [0, 0]
  for (let i = 0; i < a.width * a.height; i++) {
    if (mask && mask.data[i] === 0) continue
    for (let k = 4 * i; k < 4 * i + 3; k++) sum += ((a.data[k] as number) - (b.data[k] as number)) ** 2
    count += 3
  }
  return 10 * Math.log10((255 * 255 * count) / Math.max(sum, 1e-9))
}

/**
 * Mean structural similarity of brightness where the mask is above 0: Gaussian windows of 11 × 11
 * pixels, σ 1.5, K 0.01 and 0.03 (Wang et al. 2004).
 */
export function ssim(a: Picture, b: Picture, mask?: Plane): number {
  const [x, y] = [lumaOf(a), lumaOf(b)]
  const product = (p: Plane, q: Plane): Plane => ({
    ...p,
    data: p.data.map((value, i) => value * (q.data[i] as number)),
  })
  const [mx, my, xx, yy, xy] = [x, y, product(x, x), product(y, y), product(x, y)].map(gaussian) as [
    Plane,
    Plane,
    Plane,
    Plane,
    Plane,
  ]
  const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2]
  let [sum, count] = [0, 0]
  for (let i = 0; i < x.data.length; i++) {
    if (mask && mask.data[i] === 0) continue
    const [p, q] = [mx.data[i] as number, my.data[i] as number]
    const covariance = (xy.data[i] as number) - p * q
    const [varianceX, varianceY] = [(xx.data[i] as number) - p * p, (yy.data[i] as number) - q * q]
    sum += ((2 * p * q + c1) * (2 * covariance + c2)) / ((p * p + q * q + c1) * (varianceX + varianceY + c2))
    count++
  }
  return sum / count
}

function lumaOf({ width, height, data }: Picture): Plane {
  const plane = createPlane(width, height)
  for (let i = 0, k = 0; i < plane.data.length; i++, k += 4) {
    plane.data[i] = 0.299 * (data[k] as number) + 0.587 * (data[k + 1] as number) + 0.114 * (data[k + 2] as number)
  }
  return plane
}

const half = 5
const bell = Array.from({ length: 2 * half + 1 }, (_, k) => Math.exp(-((k - half) ** 2) / (2 * 1.5 ** 2)))
const whole = bell.reduce((sum, weight) => sum + weight, 0)

function gaussian({ width, height, data }: Plane): Plane {
  const across = new Float64Array(width * height)
  const out = createPlane(width, height)
  const within = (at: number, count: number) => Math.min(count - 1, Math.max(0, at))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0
      for (let k = -half; k <= half; k++) {
        sum += (bell[k + half] as number) * (data[y * width + within(x + k, width)] as number)
      }
      across[y * width + x] = sum / whole
    }
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0
      for (let k = -half; k <= half; k++) {
        sum += (bell[k + half] as number) * (across[within(y + k, height) * width + x] as number)
      }
      out.data[y * width + x] = sum / whole
    }
  }
  return out
}

import type { LightProbe } from './light-probe.ts'
import type { Picture } from './picture.ts'

const size = { width: 64, height: 32 } as const

/**
 * Light around a photograph's place: the half of the sphere ahead shows the photograph, and the
 * half behind the camera its mirror image (Khan et al. 2006). Enough for the soft light of a
 * subject, not for reflections.
 */
export function photoProbe({ width, height, data }: Picture): LightProbe {
  const probe = new Float32Array(3 * size.width * size.height)
  for (let y = 0, at = 0; y < size.height; y++) {
    const rows = [y, y + 1].map((edge) => Math.floor((edge * height) / size.height))
    for (let x = 0; x < size.width; x++, at += 3) {
      // Longitudes from −1 to 1 half turn; beyond a quarter turn the picture runs back.
      const ahead = (edge: number) => {
        const longitude = Math.abs((2 * edge) / size.width - 1)
        const mirrored = Math.min(longitude, 1 - longitude)
        return 0.5 + Math.sign(edge - size.width / 2) * mirrored
      }
      const columns = [ahead(x), ahead(x + 1)].map((share) => Math.floor(share * width)).sort((a, b) => a - b)
      probe.set(meanLight(data, width, { rows, columns }), at)
    }
  }
  return { ...size, data: probe }
}

const linear = Float32Array.from({ length: 256 }, (_, level) => {
  const value = level / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
})

function meanLight(
  data: Picture['data'],
  width: number,
  { rows, columns }: { rows: number[]; columns: number[] },
): [red: number, green: number, blue: number] {
  const [top = 0, bottom = 0] = rows
  const [left = 0, right = 0] = columns
  const sums: [number, number, number] = [0, 0, 0]
  let count = 0
  const end = { x: Math.min(width, Math.max(right, left + 1)), y: Math.max(bottom, top + 1) }
  // A few pixels of each part are as good as all.
  const step = Math.max(1, Math.floor((end.x - left) / 6))
  for (let y = Math.min(top, data.length / 4 / width - 1); y < end.y; y += step) {
    for (let x = Math.min(left, width - 1); x < end.x; x += step, count++) {
      for (let c = 0; c < 3; c++)
        sums[c] = (sums[c] as number) + (linear[data[4 * (y * width + x) + c] as number] as number)
    }
  }
  return sums.map((sum) => sum / Math.max(1, count)) as [number, number, number]
}

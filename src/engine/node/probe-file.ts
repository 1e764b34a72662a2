import { type LightProbe, repairProbe } from '#engine/image/light-probe.ts'
import type { Size } from '#engine/image/picture.ts'
import { BrokenProbe, isRadiance, readRadiance, type TakeRow } from '#engine/image/radiance.ts'
import { probeLimits } from '#shared/media.ts'
import { EngineError } from '../error.ts'
import { isExr, readExrRows } from './exr.ts'

/**
 * Width to which larger probes are reduced: twice that of the built-in ones, where the lens blurs a
 * portrait's background more than a pixel.
 */
const keptWidth = 1024
/** Deviation of the shape from two to one. */
const tolerance = 0.01

export const isProbe = (bytes: Uint8Array): boolean => isExr(bytes) || isRadiance(bytes)

/**
 * Reads an equirectangular probe, OpenEXR or Radiance, reduced to {@link keptWidth}. Throws
 * `upload.unreadable`, `upload.probe_size`, and `upload.not_panorama` for another shape.
 */
export function readProbe(bytes: Uint8Array): LightProbe {
  const reduced = createReduction()
  try {
    if (isExr(bytes)) readExrRows(bytes, reduced.begin)
    else readRadiance(bytes, reduced.begin)
    return reduced.finish()
  } catch (error) {
    if (error instanceof BrokenProbe) throw new EngineError('upload.unreadable', { cause: error })
    throw error
  }
}

/** Averages rows that come in any order. */
function createReduction() {
  let from: Size = { width: 0, height: 0 }
  let to = from
  let data = new Float32Array()
  let counts = new Uint32Array()
  let columns = new Uint32Array()
  const take: TakeRow = (y, row) => {
    const line = Math.floor((y * to.height) / from.height)
    for (let x = 0; x < from.width; x++) {
      const at = line * to.width + (columns[x] as number)
      counts[at] = (counts[at] as number) + 1
      for (let c = 0; c < 3; c++) data[3 * at + c] = (data[3 * at + c] as number) + (row[3 * x + c] as number)
    }
  }
  return {
    begin(size: Size): TakeRow {
      const { width, height } = size
      if (width < probeLimits.minWidth || width > probeLimits.maxWidth) throw new EngineError('upload.probe_size')
      if (Math.abs(width / height / 2 - 1) > tolerance) throw new EngineError('upload.not_panorama')
      from = size
      to = width > keptWidth ? { width: keptWidth, height: keptWidth / 2 } : size
      data = new Float32Array(3 * to.width * to.height)
      counts = new Uint32Array(to.width * to.height)
      columns = Uint32Array.from({ length: width }, (_, x) => Math.floor((x * to.width) / width))
      return take
    },
    finish(): LightProbe {
      if (counts.includes(0)) throw new BrokenProbe('rows are missing')
      let most = 0
      for (let i = 0; i < data.length; i++) {
        data[i] = (data[i] as number) / (counts[Math.floor(i / 3)] as number)
        most = Math.max(most, data[i] as number)
      }
      if (!(most > 0)) throw new BrokenProbe('there is no light')
      return repairProbe({ ...to, data })
    },
  }
}

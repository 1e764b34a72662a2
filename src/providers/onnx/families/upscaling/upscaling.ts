import { unitRange } from '#engine/image/normalization.ts'
import type { Picture } from '#engine/image/picture.ts'
import { cropPicture } from '#engine/image/pixels.ts'
import { resamplePart } from '#engine/image/resample.ts'
import type { ModelFamily, OnnxSession, OnnxSessions } from '../../family.ts'
import { fixedSize, runOn, sessionOf } from '../../session.ts'
import { type Channels, colourTensor } from '../../tensor.ts'
import { Mosaic, tilesOf } from './mosaic.ts'

/** For networks that accept any size. */
const tileSide = 256

type Enlarge = (tile: Picture, denoise: number, sessions: OnnxSessions) => Promise<Channels>

const enlargeBy = (session: OnnxSession, tile: Picture) => runOn(session, colourTensor(tile, unitRange))

/** Real-ESRGAN (Wang et al. 2021) and other networks of one file. */
const singleNetwork: Enlarge = (tile, _denoise, sessions) => enlargeBy(sessionOf(sessions, 'model'), tile)

/**
 * realesr-general-x4v3: one network removes noise, the other (`wdn`) keeps it; both outputs are
 * mixed, and at either end one of them suffices.
 */
const mixedNetworks: Enlarge = async (tile, denoise, sessions) => {
  if (denoise >= 1) return enlargeBy(sessionOf(sessions, 'model'), tile)
  const noisy = await enlargeBy(sessionOf(sessions, 'wdn'), tile)
  if (denoise <= 0) return noisy
  const clean = await enlargeBy(sessionOf(sessions, 'model'), tile)
  for (let i = 0; i < noisy.data.length; i++) {
    noisy.data[i] = (noisy.data[i] as number) * (1 - denoise) + (clean.data[i] as number) * denoise
  }
  return noisy
}

/** Networks enlarge in tiles with crossfaded overlaps; alpha is resampled. */
const family = (id: string, files: readonly string[], enlarge: Enlarge): ModelFamily<'upscale'> => ({
  id,
  task: 'upscale',
  files,
  async perform({ picture, factor, denoise }, sessions, signal) {
    const fixed = fixedSize(sessionOf(sessions, 'model'))
    const size = fixed ?? { width: tileSide, height: tileSide }
    const mosaic = new Mosaic(picture, factor, size.height)
    for (const tile of tilesOf(picture, size)) {
      signal.throwIfAborted()
      const seen = fixed ? padToSize(cropPicture(picture, tile), fixed) : cropPicture(picture, tile)
      mosaic.add(tile, await enlarge(seen, denoise, sessions), seen)
    }
    return { picture: withAlpha(mosaic.finish(), picture) }
  },
})

export const upscaling: readonly ModelFamily<'upscale'>[] = [
  family('realesr-general', ['model', 'wdn'], mixedNetworks),
  family('esrgan', ['model'], singleNetwork),
]

function padToSize(tile: Picture, { width, height }: { width: number; height: number }): Picture {
  if (tile.width === width && tile.height === height) return tile
  return resamplePart(tile, { x: 0, y: 0, width, height }, width, height)
}

function withAlpha(large: Picture, picture: Picture): Picture {
  const { width, height } = picture
  const { data } = resamplePart(picture, { x: 0, y: 0, width, height }, large.width, large.height)
  for (let i = 3; i < data.length; i += 4) large.data[i] = data[i] as number
  return large
}

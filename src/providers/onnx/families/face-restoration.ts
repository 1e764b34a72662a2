import { clipBox, composeSimilarities, inverse, type Similarity, transform } from '#engine/image/geometry.ts'
import { signedRange } from '#engine/image/normalization.ts'
import { smoothstep } from '#engine/image/numbers.ts'
import type { Picture } from '#engine/image/picture.ts'
import { resamplePicture } from '#engine/image/resample-similarity.ts'
import type { FacePoints } from '#engine/task-types.ts'
import type { ModelFamily } from '../family.ts'
import { colourTensor, fixedSize, pictureOf, runOn, sessionOf } from '../session.ts'

/** Eyes, nose and corners of the mouth in FFHQ's faces of 512 pixels, as shares of the side. */
const ffhq: FacePoints = [
  [0.3769, 0.4686],
  [0.6229, 0.4691],
  [0.5012, 0.6133],
  [0.3931, 0.7254],
  [0.6115, 0.7249],
]

/** Least-squares similarity from a face to the network's alignment (Umeyama 1991). */
export function alignFace(face: FacePoints, side: number): Similarity {
  const target = ffhq.map(([x, y]) => [x * side, y * side] as const)
  const [from, to] = [middle(face), middle(target)]
  let [along, across, spread] = [0, 0, 0]
  for (const [i, [px, py]] of face.entries()) {
    const [qx, qy] = target[i] as readonly [number, number]
    const [ax, ay, bx, by] = [px - from[0], py - from[1], qx - to[0], qy - to[1]]
    along += ax * bx + ay * by
    across += ax * by - ay * bx
    spread += ax * ax + ay * ay
  }
  const [cos, sin] = [along / spread, across / spread]
  return {
    scale: Math.hypot(cos, sin),
    angle: Math.atan2(sin, cos),
    x: to[0] - cos * from[0] + sin * from[1],
    y: to[1] - sin * from[0] - cos * from[1],
  }
}

function middle(points: FacePoints): readonly [number, number] {
  const mean = (axis: 0 | 1) => points.reduce((sum, point) => sum + point[axis], 0) / points.length
  return [mean(0), mean(1)]
}

const side = 512
/** Width of the blended rim of a restored face, as a share of its side. */
const rimShare = 0.15

/**
 * RestoreFormer++ (Wang et al. 2023), GFPGAN (Wang et al. 2021) and others for FFHQ-aligned faces.
 */
export const faceRestoration: ModelFamily<'restoreFaces'> = {
  id: 'face-restoration',
  task: 'restoreFaces',
  files: ['model'],
  async perform({ picture, faces, strength }, sessions, signal) {
    const session = sessionOf(sessions, 'model')
    const size = fixedSize(session)?.width ?? side
    const out = { ...picture, data: picture.data.slice() }
    for (const face of faces) {
      signal.throwIfAborted()
      const aligned = alignFace(face, size)
      const seen = colourTensor(resamplePicture(out, aligned, size, size), signedRange)
      const restored = pictureOf(await runOn(session, seen), (value) => 127.5 * (value + 1))
      blendBack(out, fadeRim(restored, strength), aligned)
    }
    return { picture: out }
  },
}

/** Alpha falls to 0 towards the rim. */
function fadeRim(face: Picture, strength: number): Picture {
  const { width, height, data } = face
  const edge = (index: number, length: number) =>
    smoothstep(0, rimShare * length, Math.min(index + 0.5, length - index - 0.5) - 1)
  for (let y = 0, i = 3; y < height; y++) {
    const row = 255 * strength * edge(y, height)
    for (let x = 0; x < width; x++, i += 4) data[i] = row * edge(x, width)
  }
  return face
}

function blendBack(out: Picture, face: Picture, aligned: Similarity): void {
  const back = inverse(aligned)
  const corners = [0, face.width].flatMap((x) => [0, face.height].map((y) => transform(back, { x, y })))
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
  const [x, y] = [Math.floor(Math.min(...xs)), Math.floor(Math.min(...ys))]
  const box = clipBox({ x, y, width: Math.max(...xs) - x + 1, height: Math.max(...ys) - y + 1 }, out)
  if (!box) return
  const moved = composeSimilarities(back, { scale: 1, angle: 0, x: -box.x, y: -box.y })
  const placed = resamplePicture(face, moved, box.width, box.height)
  for (let row = 0; row < box.height; row++) {
    let to = 4 * ((box.y + row) * out.width + box.x)
    for (let from = 4 * row * box.width; from < 4 * (row + 1) * box.width; from += 4, to += 4) {
      const weight = (placed.data[from + 3] as number) / 255
      if (weight === 0) continue
      for (let c = 0; c < 3; c++) {
        const own = out.data[to + c] as number
        out.data[to + c] = own + weight * ((placed.data[from + c] as number) - own)
      }
    }
  }
}

import { EngineError } from '#engine/error.ts'
import type { EngineHost } from '#engine/host.ts'
import type { Picture } from '#engine/image/picture.ts'
import { fitWithin, flatten } from '#engine/image/pixels.ts'
import { platformOf } from '#engine/platforms.ts'
import { findFaces, meshBox } from '#engine/tasks/faces/index.ts'
import { type PageShape, paperSize, printDpi } from '#engine/tasks/layout/index.ts'
import type { Box } from '#shared/media.ts'
import type { Output, ToolEngine } from '#tools/engine/tool-engine.ts'
import { type PhotoLayoutInputs, type PhotoLayoutParams, pageOf } from '../contract/definition.ts'
import { renderPage } from './compose.ts'

/** Enough to find the faces that matter for a crop. */
const searchSide = 640

/** Outlines of faces as boxes in shares of each picture's size, largest first; stored as JSON. */
type Faces = Pick<Box, keyof Box>[][]

/** `check` and `generate` find the faces that crops respect; `render` paints the page. */
export const photoLayoutEngine: ToolEngine<PhotoLayoutParams, PhotoLayoutInputs, { faces: Faces }> = {
  async check({ inputs }, host) {
    const faces = await facesOf(inputs.pictures, host)
    return {
      faces: checkedFaces(faces, inputs.pictures),
      warnings: [],
      problems: [],
      facts: {},
    }
  },

  async generate({ inputs }, host) {
    host.progress('detecting', 0)
    const faces = await facesOf(inputs.pictures, host)
    return { layers: {}, data: { faces }, warnings: [], facts: { faces: checkedFaces(faces, inputs.pictures) } }
  },

  async render({ inputs, params }, generated, host) {
    const { pictures, background, logo } = inputs
    if (pictures.length < 4 || pictures.length > 8) throw new EngineError('upload.four_to_eight')
    if (params.background.type === 'image' && !background[0]) throw new EngineError('upload.missing')
    host.progress('generating', 0.5)
    const faces = (generated?.data.faces ?? []).map((boxes, i) =>
      boxes.map((box) => inPixels(box, pictures[i] as Picture)),
    )
    const platform = platformOf(params.shape)
    const size = pageOf(params)
    const picture = renderPage({ pictures, background: background[0], logo: logo[0], faces }, params, size)
    const paper = platform ? undefined : paperSize(params.shape as PageShape, params.turned)
    const maxBytes = platform?.maxBytes
    const format = params.shape === 'sticker' ? 'webp' : params.format
    const outputs: Output[] = [
      { picture, encoding: { format, ...(paper && { dpi: printDpi }), ...(maxBytes && { maxBytes }) } },
    ]
    if (paper && params.pdf)
      outputs.push({ label: `${params.shape.toUpperCase()} PDF`, pages: [{ picture, millimetres: paper }] })
    return { outputs }
  },
}

/** In pixels of the pictures, as a check returns them. */
const checkedFaces = (faces: Faces, pictures: readonly Picture[]) =>
  faces.flatMap((boxes, position) =>
    boxes.map((box) => ({ input: 'pictures', position, box: { ...inPixels(box, pictures[position] as Picture) } })),
  )

async function facesOf(pictures: readonly Picture[], host: EngineHost): Promise<Faces> {
  const all: Faces = []
  for (const picture of pictures) {
    host.signal.throwIfAborted()
    const { width, height } = fitWithin(picture, searchSide)
    const small = await host.resize(flatten(picture, 255, 255, 255), width, height)
    // The detector's boxes are wider than faces, so fewer of a group would fit a cell.
    all.push((await findFaces(small, host)).map(({ points }) => inShares(meshBox(points), small)))
    host.progress('detecting', all.length / pictures.length)
  }
  return all
}

const inShares = (box: Box, { width, height }: Picture): Box => ({
  x: box.x / width,
  y: box.y / height,
  width: box.width / width,
  height: box.height / height,
})

const inPixels = (box: Box, { width, height }: Picture): Box => ({
  x: box.x * width,
  y: box.y * height,
  width: box.width * width,
  height: box.height * height,
})

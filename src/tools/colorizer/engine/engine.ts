import { EngineError } from '#engine/error.ts'
import type { EngineHost } from '#engine/host.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { fitWithin, flatten } from '#engine/image/pixels.ts'
import { createPlane } from '#engine/image/plane.ts'
import { resamplePart } from '#engine/image/resample.ts'
import { applyColours, findColours, isColoured, readOldPhoto } from '#engine/tasks/colorize/index.ts'
import { findScratches } from '#engine/tasks/enhance/index.ts'
import { faceMeshes, keepMeshes, keptMeshes } from '#engine/tasks/faces/index.ts'
import { inpaint } from '#engine/tasks/inpaint/index.ts'
import type { Output, ToolEngine } from '#tools/engine/tool-engine.ts'
import type { ColorizerInputs, ColorizerParams } from '../contract/definition.ts'

/**
 * Meshes of the faces, see `keepMeshes`; whether somebody else has coloured it (layer `coloured`).
 */
type Kept = { faces: number[][]; provided: boolean }

const variants = [0, 1, 2]
const searchSide = 1024

/**
 * Colorizer: `generate` looks for faces and people; `render` finds the colours, three times with
 * other guesses.
 */
export const colorizerEngine: ToolEngine<ColorizerParams, ColorizerInputs, Kept> = {
  async check({ inputs, params }, host) {
    const small = await searched(sourceOf(inputs.picture), host)
    const problems = isColoured(small) ? [{ path: 'picture', code: 'engine.already_coloured' } as const] : []
    const meshes = problems.length > 0 ? [] : await faceMeshes(small, host)
    return { problems, warnings: problems.length > 0 ? [] : unknownColours(meshes, params), facts: {} }
  },

  async generate({ inputs, params }, host) {
    const source = sourceOf(inputs.picture)
    host.progress('detecting', 0)
    const small = await searched(source, host)
    if (isColoured(small)) throw new EngineError('engine.already_coloured')
    const [meshes, person] = [await faceMeshes(small, host), await host.personMask(small)]
    const coloured = await colouredElsewhere(source, host)
    host.progress('generating', 0.4)
    return {
      layers: { person, ...(coloured && { coloured }) },
      data: {
        faces: keepMeshes(meshes, small),
        provided: coloured !== undefined,
      },
      warnings: coloured ? [] : unknownColours(meshes, params),
      facts: { scratches: findScratches(small) !== undefined },
    }
  },

  async render({ inputs, params }, generated, host) {
    const source = sourceOf(inputs.picture)
    if (!generated) throw new EngineError('generation.not_renderable')
    const { lightness } = readOldPhoto(params.scratches ? withoutScratches(source) : source, params.restore)
    const faces = keptMeshes(generated.data.faces, source)
    const person = generated.layers.person
    const outputs: Output[] = []
    const elsewhere = generated.layers.coloured
    if (elsewhere?.data instanceof Uint8ClampedArray && params.hints.length === 0) {
      outputs.push({ picture: elsewhere as Picture, encoding: { format: params.format } })
    }
    const chroma = findColours(lightness, {
      faces,
      person: person?.data instanceof Float32Array ? (person as Plane) : createPlane(1, 1),
      hints: params.hints,
      variants: variants.slice(outputs.length),
    })
    host.progress('generating', 0.7)
    host.signal.throwIfAborted()
    for (const picture of applyColours(lightness, chroma, params.saturation))
      outputs.push({ picture, encoding: { format: params.format } })
    host.progress('generating', 1)
    return { outputs }
  },
}

const searched = (source: Picture, host: EngineHost) => {
  const { width, height } = fitWithin(source, searchSide)
  return host.resize(source, width, height)
}

/** Without a face, and with nothing told, hardly anything has a colour that is known. */
const unknownColours = (meshes: readonly unknown[], { hints }: Pick<ColorizerParams, 'hints'>) =>
  meshes.length === 0 && hints.length === 0 ? (['colours_unknown'] as const) : []

function withoutScratches(source: Picture): Picture {
  const mask = findScratches(source)
  return mask ? inpaint(source, mask) : source
}

function sourceOf([picture]: Picture[]): Picture {
  if (!picture) throw new EngineError('upload.missing')
  return flatten(picture, 255, 255, 255)
}

/** The picture as somebody else coloured it, at its own size; undefined where nobody does. */
async function colouredElsewhere(source: Picture, host: EngineHost): Promise<Picture | undefined> {
  const nothing: Picture = { width: 0, height: 0, data: new Uint8ClampedArray() }
  const made = await host.provided('colorize', { picture: source }, async () => nothing)
  if (made === nothing) return undefined
  return resamplePart(made, { x: 0, y: 0, width: made.width, height: made.height }, source.width, source.height)
}

import { EngineError } from '#engine/error.ts'
import type { EngineHost, MeshPoints } from '#engine/host.ts'
import { createPlane, isPlane, type Picture } from '#engine/image/picture.ts'
import { fitWithin, resizeToCover } from '#engine/image/pixels.ts'
import {
  applyColours,
  type Chroma,
  chromaOf,
  classifyPhotoColours,
  estimateColours,
  greyPicture,
  greyShare,
  isGrey,
  isUsableColouring,
  readFadedLightness,
} from '#engine/tasks/colorize/index.ts'
import { findScratches } from '#engine/tasks/enhance/index.ts'
import { faceMeshes, meshBox, packMeshes, unpackMeshes } from '#engine/tasks/faces/index.ts'
import { inpaint } from '#engine/tasks/inpaint/index.ts'
import { inputOnWhite, requireProviderResults } from '#tools/engine/inputs.ts'
import { aiEdited, type Output, type ToolEngine, type ToolInput } from '#tools/engine/tool-engine.ts'
import type { ColorizerInputs, ColorizerParams, ColorizerTasks } from '../contract/definition.ts'

/** Face meshes, see `packMeshes`. */
type Kept = { faces: number[][] }

const variants = [0, 1, 2]
const searchSide = 1024

/**
 * `render` estimates three variants. A provider's colours are applied to the photograph's own
 * lightness.
 */
export const colorizerEngine: ToolEngine<ColorizerParams, ColorizerInputs, Kept, ColorizerTasks> = {
  async check({ inputs, params, done }, host) {
    const small = await searched(inputOnWhite(inputs.picture), host)
    const colours = classifyPhotoColours(small)
    if (colours === 'all') {
      return { problems: [{ path: 'picture', code: 'engine.already_coloured' }], warnings: [], facts: {} }
    }
    const replaced = colours === 'some' ? (['colours_replaced'] as const) : []
    const meshes = await faceMeshes(small, host)
    const grey = await foreseeGrey(small, meshes, { params, done }, host)
    if (grey === 'all') {
      const code = colours === 'some' ? 'engine.colours_faint' : 'engine.colours_unknown'
      // Hints help as well as another photograph.
      return { problems: [{ path: 'hints', code }], warnings: [], facts: {} }
    }
    return { problems: [], warnings: [...replaced, ...greyWarnings[grey]], facts: {} }
  },

  async prepare({ inputs, params }, host) {
    const small = await searched(inputOnWhite(inputs.picture), host)
    if (classifyPhotoColours(small) === 'all') throw new EngineError('engine.already_coloured')
    if (params.full) return { coloured: [], renewed: [{ picture: small }] }
    return { coloured: [{ picture: greyPicture(readFadedLightness(small, params.restore)) }], renewed: [] }
  },

  async generate({ inputs, params, done }, host) {
    const source = inputOnWhite(inputs.picture)
    host.progress('detecting', 0)
    const small = await searched(source, host)
    if (classifyPhotoColours(small) === 'all') throw new EngineError('engine.already_coloured')
    if (params.full) requireProviderResults(done.renewed)
    const [meshes, person] = [await faceMeshes(small, host), await host.personMask(small)]
    const grey = await foreseeGrey(small, meshes, { params, done }, host)
    if (grey === 'all') throw new EngineError('engine.colours_unknown')
    host.progress('generating', 0.4)
    return {
      layers: { person },
      data: { faces: packMeshes(meshes, small) },
      warnings: greyWarnings[grey],
      facts: { scratches: findScratches(small) !== undefined },
    }
  },

  async render({ inputs, params, done }, generated, host) {
    const source = inputOnWhite(inputs.picture)
    if (!generated) throw new EngineError('generation.not_renderable')
    const lightness = readFadedLightness(params.scratches ? withoutScratches(source) : source, params.restore)
    const faces = unpackMeshes(generated.data.faces, source)
    const person = generated.layers.person
    const outputs: Output[] = []
    const known = {
      faces,
      person: person && isPlane(person) ? person : createPlane(1, 1),
      hints: params.hints,
    }
    const renewed = done.renewed?.[0]?.picture
    const whole = renewed && (await resizeToCover(renewed, source, host.resize))
    const encoding = { format: params.format }
    if (whole) outputs.push({ picture: whole, encoding: { ...encoding, metadata: aiEdited } })
    const coloured = whole ?? done.coloured?.[0]?.picture
    const base = usableColours(coloured, () => estimateColours(lightness, { ...known, hints: [], variants: [0] }))
    const chroma = estimateColours(lightness, { ...known, variants: variants.slice(whole ? 2 : base ? 1 : 0) })
    host.progress('generating', 0.7)
    host.signal.throwIfAborted()
    // Providers do not know hints.
    const hinted =
      base && params.hints.length > 0 ? estimateColours(lightness, { ...known, variants: [0], base }) : base
    const others = hinted ? applyColours(lightness, hinted, params.saturation) : []
    for (const picture of others) outputs.push({ picture, encoding: { ...encoding, metadata: aiEdited } })
    for (const picture of applyColours(lightness, chroma, params.saturation)) outputs.push({ picture, encoding })
    host.progress('generating', 1)
    return { outputs, rejected: coloured && !base ? ['coloured'] : [] }
  },
}

/**
 * Below this share of faces, less than about a sixteenth of a picture gets a colour: observed on 42
 * photographs outside the test sets.
 */
const minFaceShare = 0.03
/** Grey share of a result that the user is told about. */
const largeGreyShare = 0.3

/** Parts that stay grey because neither the engine nor a provider (`done`) knows their colour. */
async function foreseeGrey(
  small: Picture,
  faces: readonly MeshPoints[],
  { params, done }: Pick<ToolInput<ColorizerParams, ColorizerInputs, ColorizerTasks>, 'params' | 'done'>,
  host: EngineHost,
): Promise<'all' | 'most' | 'parts' | 'little'> {
  if (params.full || params.hints.length > 0) return 'little'
  const known = { faces, person: await host.personMask(small), hints: [], variants: [0] }
  const own = estimateColours(readFadedLightness(small, params.restore), known)
  if (usableColours(done.coloured?.[0]?.picture, () => own)) return 'little'
  if (isGrey(own)) return 'all'
  const area = faces.map((mesh) => meshBox(mesh)).reduce((sum, box) => sum + box.width * box.height, 0)
  if (area < minFaceShare * small.width * small.height) return 'most'
  return greyShare(own) > largeGreyShare ? 'parts' : 'little'
}

const greyWarnings = { most: ['colours_unknown'], parts: ['colours_partial'], little: [] } as const

function usableColours(coloured: Picture | undefined, own: () => Chroma): Chroma | undefined {
  const made = coloured && chromaOf(coloured)
  return made && isUsableColouring(made, own()) ? made : undefined
}

const searched = (source: Picture, host: EngineHost) => {
  const { width, height } = fitWithin(source, searchSide)
  return host.resize(source, width, height)
}

function withoutScratches(source: Picture): Picture {
  const mask = findScratches(source)
  return mask ? inpaint(source, mask) : source
}

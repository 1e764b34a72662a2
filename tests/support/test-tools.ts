import { flatten } from '#engine/image/pixels.ts'
import { defineTool } from '#tools/contract/define.ts'
import type { InputSpecs, TaskSpecs, ToolDefinition, ToolRegistry } from '#tools/contract/tool.ts'
import { toolContracts } from '#tools/contracts.ts'
import type { ToolEngine } from '#tools/engine/tool-engine.ts'

/** Prove what the tool interface allows. */

const label = (message: string) => ({ id: `input.test.${message}`, message })

const montageInputs = {
  front: { kind: 'picture', label: label('front'), min: 1, max: 1 },
  back: { kind: 'picture', label: label('back'), min: 1, max: 2 },
  mask: { kind: 'plane', label: label('mask'), min: 0, max: 1 },
} as const satisfies InputSpecs

const montageTasks = { front: 'inpaint' } as const satisfies TaskSpecs

interface MontageParams {
  masked: boolean
  tint: number
}

/** Joins two pictures by a mask: three outputs, nothing kept; findings count in its price. */
const montage: ToolDefinition<MontageParams, typeof montageInputs, 'montage', typeof montageTasks> = {
  id: 'montage',
  route: '/test-montage',
  label: { id: 'tool.montage', message: 'Montage' },
  inputs: montageInputs,
  defaults: { masked: false, tint: 0 },
  renderParams: ['tint'],
  renderInputs: ['mask'],
  tasks: montageTasks,
  checksPhotos: true,
  pricedByCheck: () => true,
  problems: ({ masked }, { inputs }) =>
    masked && inputs.mask.length === 0 ? [{ path: 'mask', code: 'upload.missing' }] : [],
  price: (unit, _params, { photoCheck }) => unit + Number(photoCheck?.facts.bright ?? 0),
  timeLimit: () => 30,
  defaultUnitPrice: 2,
}

export const montageEngine: ToolEngine<MontageParams, typeof montageInputs, null, typeof montageTasks> = {
  async check({ inputs }) {
    const bright = inputs.back.filter(({ data }) => (data[0] as number) > 128).length
    return {
      faces: [{ input: 'front', position: 0, box: { x: 1, y: 2, width: 3, height: 4 }, points: [1, 2] }],
      warnings: bright > 0 ? ['overexposed'] : [],
      problems: [],
      checks: [{ code: 'sharpness', status: 'ok', measured: 3, wanted: { min: 1 } }],
      facts: { bright, checkedAt: performance.timeOrigin + performance.now() },
    }
  },
  async prepare({ inputs: { front, mask } }) {
    const [picture] = front
    if (!picture) throw new Error('the contract asks for it')
    return { front: [{ picture, mask: mask[0] ?? { width: 1, height: 1, data: new Float32Array(1) } }] }
  },
  async render({ inputs: { front, back, mask }, params, done }, _generated, host) {
    const [picture] = front
    const [behind] = back
    if (!picture || !behind) throw new Error('the contract asks for both')
    const joined = done.front?.[0]?.picture ?? flatten(picture, 0, 0, 0)
    const data = joined.data.slice()
    for (let i = 0; i < data.length; i += 4) {
      const share = mask[0]?.data[i / 4] ?? 1
      data[i] = (data[i] as number) * share + (behind.data[0] as number) * (1 - share) + params.tint
    }
    const small = await host.resize(picture, 16, 16)
    const note = new TextEncoder().encode('%PDF-1.4 a note')
    return {
      outputs: [
        { label: 'joined', picture: { ...joined, data }, encoding: { format: 'png' } },
        {
          label: 'small',
          picture: small,
          encoding: { format: 'jpeg', dpi: 300, metadata: { source: 'compositeWithTrainedAlgorithmicMedia' } },
        },
        { label: 'note', file: note, contentType: 'application/pdf', extension: 'pdf', width: 0, height: 0 },
      ],
      warnings: mask.length > 0 ? [] : ['uncertain_edges'],
      facts: { tint: params.tint },
    }
  },
}

const sleeperInputs = {
  picture: { kind: 'picture', label: label('picture'), min: 1, max: 1 },
} as const satisfies InputSpecs

/** Runs until stopped; keeps JSON without any layer. */
const sleeper: ToolDefinition<{ awake: boolean }, typeof sleeperInputs, 'sleeper'> = {
  id: 'sleeper',
  route: '/test-sleeper',
  label: { id: 'tool.sleeper', message: 'Sleeper' },
  inputs: sleeperInputs,
  defaults: { awake: false },
  renderParams: [],
  tasks: {},
  price: (unit) => unit,
  timeLimit: () => 60,
  defaultUnitPrice: 1,
}

export const sleeperEngine: ToolEngine<{ awake: boolean }, typeof sleeperInputs, { seed: number }> = {
  async generate({ params }, host) {
    host.progress('generating', 0.1)
    if (!params.awake)
      await new Promise<void>((_resolve, reject) => {
        host.signal.addEventListener('abort', () => reject(host.signal.reason), { once: true })
      })
    return { layers: {}, data: { seed: 42 }, warnings: ['blurred'], facts: { seed: 42 } }
  },
  async render({ inputs }, generated) {
    const [picture] = inputs.picture
    if (!picture) throw new Error('the contract asks for it')
    return {
      outputs: [{ picture, encoding: { format: 'webp' } }],
      facts: { keptSeed: generated?.data.seed ?? null },
    }
  },
}

/** Every tool of the server and those of the tests. */
export const testTools: ToolRegistry = {
  ...toolContracts,
  montage: defineTool(montage, ({ type }) =>
    type({ '+': 'reject', masked: 'boolean = false', tint: '0 <= number <= 255 = 0' }),
  ),
  sleeper: defineTool(sleeper, ({ type }) => type({ '+': 'reject', awake: 'boolean = false' })),
}

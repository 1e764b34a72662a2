import { describe, expect, test } from 'vitest'
import type { AnyTool, FileInfo, GenerationInfo, PhotoCheck } from './contract/tool.ts'
import { type ToolId, toolContracts } from './contracts.ts'

const unit = 10
const tools = Object.entries(toolContracts) as [ToolId, AnyTool][]

/** As many files as fit, with the faces that a check would find. */
function factsOf(
  tool: AnyTool,
  { seconds = 10, faces = 3 }: { seconds?: number; faces?: number } = {},
): GenerationInfo {
  const file: FileInfo = { width: 1200, height: 900, seconds: 0, bytes: 100_000, contentType: 'image/jpeg' }
  const video: FileInfo = { ...file, seconds, contentType: 'video/mp4' }
  const inputs = Object.entries(tool.inputs).map(([name, { kind, max }]) => {
    return [name, Array.from({ length: max }, () => (kind === 'video' ? video : file))] as const
  })
  const [input = ''] = Object.keys(tool.inputs)
  const box = { x: 0, y: 0, width: 90, height: 90 }
  const found = Array.from({ length: faces }, () => ({ input, position: 0, box }))
  const photoCheck: PhotoCheck = { faces: found, warnings: [], problems: [], facts: {} }
  return { inputs: Object.fromEntries(inputs), photoCheck }
}

const priceOf = (id: ToolId, params: object, found?: { seconds?: number; faces?: number }) => {
  const tool: AnyTool = toolContracts[id]
  const parsed = tool.parseParams(params)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return tool.price(unit, parsed.params, factsOf(tool, found)) / unit
}

type Row = readonly [made: string, units: number, params: object, found?: { seconds?: number; faces?: number }]
const pairs = (count: number) => Array.from({ length: count }, (_, i) => ({ source: 0, target: i }))
// Partial, so that adding a tool changes no test.
const rows: Partial<Record<ToolId, readonly Row[]>> = {
  'background-removal': [
    ['a cut-out', 1, {}],
    ['a cut-out of a box', 1, { box: { x: 0, y: 0, width: 80, height: 80 } }],
  ],
  'object-removal': [['a picture without what was marked', 1, {}]],
  enhancement: [
    ['the same size', 1, { scale: 1 }],
    ['twice the size', 1, { scale: 2 }],
    ['four times the size', 2, { scale: 4 }],
    ['four times the size with new detail', 4, { scale: 4, invent: true }],
  ],
  cartoonizer: [
    ['a cartoon', 1, {}],
    ['a sticker', 1, { sticker: true }],
    ['a drawing made anew', 2, { redraw: 'clay' }],
  ],
  'background-diffusion': [
    ['one variant', 1, { variants: 1 }],
    ['four variants', 1, { variants: 4 }],
  ],
  'face-cutout': [
    ['every head', 1, {}, { faces: 12 }],
    ['one head of all that are cut out', 1, { picked: [0] }, { faces: 12 }],
  ],
  'passport-photo': [
    ['a photo', 1, {}],
    ['a photo in other clothes', 2, { outfit: 'suit' }],
  ],
  colorizer: [
    ['a coloured picture', 1, {}],
    ['a picture made anew in colour', 2, { full: true }],
  ],
  'photo-layout': [
    ['a page', 1, {}],
    ['a page to print', 1, { shape: 'a4', pdf: true }],
  ],
  'swap-face': [
    ['the largest face', 1, {}],
    ['one face', 1, { pairs: pairs(1) }],
    ['three faces', 3, { pairs: pairs(3) }],
  ],
  'video-background-removal': [
    ['the least that is charged', 5, {}, { seconds: 1 }],
    ['six and a half seconds', 7, {}, { seconds: 6.5 }],
    ['a minute', 60, {}, { seconds: 60 }],
    ['a small sample of three seconds', 0, { preview: true }, { seconds: 60 }],
  ],
  headshot: [
    ['the largest face', 1, {}],
    ['two faces', 2, { faces: [0, 2] }],
    ['new photographs of one face', 2, { style: 'office' }],
    ['all people together', 3, { mode: 'group' }],
    ['all people together, with a chosen one', 3, { mode: 'group', faces: [0] }],
    ['all people together, with two chosen ones', 3, { mode: 'group', faces: [1, 2] }],
    ['the twelve largest of a crowd', 12, { mode: 'group', faces: [0] }, { faces: 30 }],
  ],
}

describe('the price follows the number of results', () => {
  for (const [id, list] of Object.entries(rows) as [ToolId, readonly Row[]][]) {
    for (const [made, units, params, found] of list) {
      test(`${id}: ${made}`, () => expect(priceOf(id, params, found)).toBe(units))
    }
  }
})

const someValues = [
  ...[true, false, 0, 1, 2, 4, 0.5, 5],
  ...['', 'png', 'webp', 'jpeg', 'a4', 'group', 'each', 'sheet', 'object', 'office', 'anime', '3x4'],
  ...[[], [0], [0, 1, 2], pairs(3), [{ source: 0, target: 0 }]],
  ...[{ type: 'transparent' }, { type: 'color', color: '#ff0000' }, { type: 'image' }, { type: 'blue' }],
  [{ paper: 'a4', file: 'pdf', photos: [{ preset: 'this', count: 0 }] }],
]

describe('options that are free to render never change the price', () => {
  test.each(tools)('%s', (_id, tool) => {
    const facts = factsOf(tool)
    for (const name of tool.renderParams) {
      const values = someValues.flatMap((value) => {
        const parsed = tool.parseParams({ [name]: value })
        return parsed.ok ? [parsed.params] : []
      })
      const prices = new Set(values.map((params) => tool.price(unit, params, facts)))
      expect([name, [...prices].length <= 1]).toEqual([name, true])
    }
    for (const name of tool.renderInputs ?? []) {
      const without = { ...facts, inputs: { ...facts.inputs, [name]: [] } }
      const params = tool.defaults
      expect(tool.price(unit, params, without)).toBe(tool.price(unit, params, facts))
    }
  })
})

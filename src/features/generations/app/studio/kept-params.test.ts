import { expect, it } from 'vitest'
import { keptParams } from './kept-params.ts'
import { optionsForLink } from './options-for-link.ts'

const tool = { defaults: { edge: 1, background: { type: 'none' }, strokes: [] }, pictureParams: ['strokes'] }

it('keeps what is set, but neither what needs a file nor what was drawn in one picture', () => {
  expect(keptParams(tool, { edge: 3, background: { type: 'color', color: '#fff' }, strokes: [{}] })).toEqual({
    edge: 3,
    background: { type: 'color', color: '#fff' },
  })
  expect(keptParams(tool, { edge: 3, background: { type: 'image' } })).toEqual({ edge: 3 })
})

it('leaves out what the tool knows no more, or knows as something else', () => {
  expect(keptParams(tool, { edge: 'soft', glow: 2 })).toEqual({})
})

it('puts into a link what was chosen, and nothing that is as it always is', () => {
  expect(optionsForLink(tool, { edge: 3, background: { type: 'none' }, strokes: [{}] })).toBe('{"edge":3}')
  expect(optionsForLink(tool, { ...tool.defaults, background: { type: 'image' } })).toBeNull()
})

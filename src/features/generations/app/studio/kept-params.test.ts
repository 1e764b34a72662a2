import { expect, it } from 'vitest'
import { keptParams } from './kept-params.ts'
import { optionsForLink } from './studio-extras.tsx'

const tool = { defaults: { edge: 1, background: { type: 'none' }, strokes: [] }, pictureParams: ['strokes'] }

it('keeps options, but neither those that need a file nor those drawn in one picture', () => {
  expect(keptParams(tool, { edge: 3, background: { type: 'color', color: '#fff' }, strokes: [{}] })).toEqual({
    edge: 3,
    background: { type: 'color', color: '#fff' },
  })
  expect(keptParams(tool, { edge: 3, background: { type: 'image' } })).toEqual({ edge: 3 })
})

it('drops options that the tool no longer has or has changed', () => {
  expect(keptParams(tool, { edge: 'soft', glow: 2 })).toEqual({})
})

it('puts only options that differ from the defaults into a link', () => {
  expect(optionsForLink(tool, { edge: 3, background: { type: 'none' }, strokes: [{}] })).toBe('{"edge":3}')
  expect(optionsForLink(tool, { ...tool.defaults, background: { type: 'image' } })).toBeNull()
})

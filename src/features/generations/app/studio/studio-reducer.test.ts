import { expect, test } from 'vitest'
import type { AnyToolPage } from '#tools/ui/page.ts'
import type { ChosenPicture } from '../picture.ts'
import { emptyStudio, phaseOf, reduceStudio, runPhase, type StudioEvent } from './studio-reducer.ts'
import type { StudioState } from './studio-state.ts'

const label = { id: 'x', message: 'x' }
const input = (max: number) => ({ kind: 'picture', label, min: 1, max })
const stage = { from: () => ({ box: 'whole' }) }
const pageOf = (parts: object) =>
  ({ definition: { inputs: { picture: input(1) }, ...parts }, stage }) as unknown as AnyToolPage
const single = pageOf({})
const batch = pageOf({ batch: { input: 'picture', max: 20 } })
const layout = pageOf({ inputs: { pictures: input(9) } })

const photo = (id: string): ChosenPicture => ({
  id,
  name: `${id}.png`,
  original: new Blob([id], { type: 'image/png' }),
  size: { width: 400, height: 300 },
})
const picked = (...ids: string[]): StudioEvent => ({
  type: 'picked',
  picked: [{ input: undefined, pictures: ids.map(photo) }],
})
const run = (picture: string, result: string | null = null) => ({ picture, job: `job of ${picture}`, result })
const started = (...ids: string[]): StudioEvent => ({ type: 'started', runs: ids.map((id) => run(id)) })
const arrived = (id: string): StudioEvent => ({ type: 'arrived', job: `job of ${id}`, result: `result of ${id}` })
const drawn: StudioEvent = { type: 'changed', settings: { stage: { box: 'drawn' } } }

const after = (page: AnyToolPage, ...events: StudioEvent[]): StudioState =>
  events.reduce((state, event) => reduceStudio(page, state, event), emptyStudio({ format: 'png' }))
const ids = ({ inputs }: StudioState) => Object.values(inputs).flatMap((pictures) => pictures.map(({ id }) => id))

test('a studio is empty, ready with a picture, uploading once started, and advances when the generation has arrived', () => {
  expect(phaseOf(after(single))).toBe('empty')
  expect(phaseOf(after(single, picked('a')))).toBe('ready')
  expect(phaseOf(after(single, picked('a'), started('a')))).toBe('uploading')
  const state = after(single, picked('a'), started('a'), arrived('a'))
  expect(phaseOf(state)).toBe('arrived')
  expect(state.runs).toEqual([run('a', 'result of a')])
})

test('a generation that has arrived is running, done or failed as the server says', () => {
  expect((['queued', 'detecting', 'generating'] as const).map(runPhase)).toEqual(['running', 'running', 'running'])
  expect((['succeeded', 'failed', 'cancelled'] as const).map(runPhase)).toEqual(['done', 'failed', 'failed'])
})

test('several generations are uploading until the last has arrived', () => {
  const events = [picked('a', 'b'), started('a', 'b'), arrived('b')]
  expect(phaseOf(after(batch, ...events))).toBe('uploading')
  expect(phaseOf(after(batch, ...events, arrived('a')))).toBe('arrived')
})

test('the arrival of an unrelated upload item changes nothing', () => {
  const events = [picked('a'), started('a')]
  expect(after(single, ...events, arrived('x'))).toEqual(after(single, ...events))
})

test('a further picture is added while there is room, and starts a new draft beside generations or a result', () => {
  expect(ids(after(batch, picked('a'), picked('b')))).toEqual(['a', 'b'])
  expect(ids(after(single, picked('a'), picked('b')))).toEqual(['a'])
  const anew = after(single, picked('a'), drawn, started('a'), arrived('a'), picked('b'))
  expect([ids(anew), anew.runs, anew.stage]).toEqual([['b'], [], null])
  expect(ids(after(single, picked('a'), { ...picked('b'), afresh: true } as StudioEvent))).toEqual(['b'])
})

test('replacing the pictures of one input keeps those of the others', () => {
  const two = pageOf({ inputs: { target: input(1), faces: input(6) } })
  const face = { type: 'picked', picked: [{ input: 'faces', pictures: [photo('c')] }] } as const
  const state = after(two, picked('a', 'b'), drawn, { ...face, input: 'faces', afresh: true })
  expect([ids(state), state.stage, state.replaced]).toEqual([['a', 'c'], { box: 'drawn' }, null])
})

test('options that depend on pictures are restored with them', () => {
  const settings = { params: { format: 'jpeg' }, stage: { box: 'kept' }, shrink: false }
  const state = after(single, { ...picked('a'), settings } as StudioEvent)
  expect(state).toMatchObject({ ...settings, runs: [] })
})

test('drawings are removed with their picture, and stay where several are arranged', () => {
  const without = (id: string): StudioEvent => ({
    type: 'rearranged',
    input: 'picture',
    files: (now) => now.filter((picture) => picture.id !== id),
  })
  const gone = after(single, picked('a'), drawn, without('a'))
  expect([phaseOf(gone), gone.stage]).toEqual(['empty', null])
  const turned = after(layout, picked('a', 'b'), drawn, {
    type: 'rearranged',
    input: 'pictures',
    files: (now) => now.toReversed(),
  })
  expect([ids(turned), turned.stage]).toEqual([['b', 'a'], { box: 'drawn' }])
})

test('consecutive changes of settings build on each other', () => {
  const longer = ({ params }: StudioState) => ({ params: { ...params, steps: Number(params.steps ?? 0) + 1 } })
  const state = after(single, { type: 'changed', settings: longer }, { type: 'changed', settings: longer })
  expect(state.params).toEqual({ format: 'png', steps: 2 })
})

test('cancelling a generation leaves its picture and options as they were', () => {
  const ready = [picked('a'), drawn]
  expect(after(single, ...ready, started('a'), { type: 'cancelled' })).toEqual(after(single, ...ready))
})

test('a failed generation is retried with its picture and its finished tasks', () => {
  const help = { label, params: { subject: 'object' }, stage: () => ({ box: 'helped' }) }
  const failed = [picked('a', 'b'), started('a', 'b'), arrived('a'), arrived('b')]
  const state = after(batch, ...failed, { type: 'triedAgain', picture: photo('b'), help })
  expect([phaseOf(state), ids(state)]).toEqual(['ready', ['b']])
  expect(state).toMatchObject({ params: { format: 'png', subject: 'object' }, stage: { box: 'helped' } })
})

test('starting over removes pictures, drawings and generations, and keeps the options', () => {
  const options: StudioEvent = { type: 'changed', settings: { params: { format: 'jpeg' }, shrink: false } }
  const state = after(single, picked('a'), options, drawn, started('a'), arrived('a'), { type: 'startedAgain' })
  const settings = { params: { format: 'jpeg' }, shrink: false, stage: null }
  expect(state).toEqual({ inputs: {}, runs: [], replaced: null, stages: {}, ...settings })
})

test('replaced photos come back with their drawings and replace the later ones', () => {
  const afresh = { ...picked('b'), afresh: true } as StudioEvent
  const replaced = after(batch, picked('a'), drawn, afresh)
  expect([ids(replaced), replaced.stage]).toEqual([['b'], null])
  const restored = reduceStudio(batch, replaced, { type: 'restored' })
  expect([ids(restored), restored.stage]).toEqual([['a'], { box: 'drawn' }])
  expect(ids(reduceStudio(batch, restored, { type: 'restored' }))).toEqual(['b'])
  expect(ids(reduceStudio(batch, replaced, { type: 'combined' }))).toEqual(['a', 'b'])
})

test('removed photos can be restored until a generation starts, and those of a generation never can', () => {
  const putAway = after(single, picked('a'), { type: 'startedAgain' })
  expect(ids(reduceStudio(single, putAway, { type: 'restored' }))).toEqual(['a'])
  const later = after(single, picked('a'), { type: 'startedAgain' }, picked('b'))
  expect(ids(reduceStudio(single, later, { type: 'restored' }))).toEqual(['a'])
  expect(reduceStudio(single, later, started('b')).replaced).toBeNull()
  const ran = after(single, picked('a'), started('a'), arrived('a'), { type: 'startedAgain' })
  expect(ran.replaced).toBeNull()
})

import { expect, test } from 'vitest'
import type { UploadState } from '#features/uploads/app/uploads.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import type { GenerationStatus } from '../../rules.ts'
import type { ChosenPicture } from '../picture.ts'
import {
  currentStudio,
  emptyStudio,
  generationPhase,
  isDraft,
  phaseOf,
  reduceStudio,
  type StudioEvent,
  type StudioState,
} from './studio-state.ts'

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
const started = (...ids: string[]): StudioEvent => ({
  type: 'started',
  generations: ids.map((id) => ({ picture: id, job: `job of ${id}` })),
})
const drawn: StudioEvent = { type: 'changed', settings: { stage: { box: 'drawn' } } }

const after = (page: AnyToolPage, ...events: StudioEvent[]): StudioState =>
  events.reduce((state, event) => reduceStudio(page, state, event), emptyStudio({ format: 'png' }))
const ids = ({ inputs }: StudioState) => Object.values(inputs).flatMap((pictures) => pictures.map(({ id }) => id))

const job = (state: UploadState | null, resultId: string | null = null) => ({
  upload: state === null ? undefined : { state },
  resultId,
})
const done = (...ids: string[]) => ids.map((id) => job(null, `result of ${id}`))

test('without a picture a studio is empty, and ready with one', () => {
  expect(phaseOf(after(single), [])).toBe('empty')
  expect(phaseOf(after(single, picked('a')), [])).toBe('ready')
})

test('the pictures of a batch that were not started stay restorable', () => {
  const partly = after(batch, picked('a', 'b', 'c'), started('a', 'b'))
  expect(partly.replaced && ids({ ...partly, ...partly.replaced })).toEqual(['c'])
  expect(ids(after(batch, picked('a', 'b', 'c'), started('a', 'b'), { type: 'restored' }))).toEqual(['c'])
  const again = reduceStudio(batch, partly, { type: 'startedAgain' })
  expect([ids(again), again.replaced && ids({ ...again, ...again.replaced })]).toEqual([[], ['c']])
  expect(after(batch, picked('a', 'b'), started('a', 'b')).replaced).toBeNull()
})

test.each([
  ['waiting for the network or its turn', 'waiting', 'queued'],
  ['uploading', 'sending', 'sending'],
  ['waiting for a sign-in', 'sign_in', 'awaitingUser'],
  ['waiting for credits', 'credits', 'awaitingUser'],
  ['waiting for the new price to be accepted', 'confirm', 'awaitingUser'],
  ['refused, for example without consent', 'refused', 'awaitingUser'],
  ['being cancelled', 'cancelling', 'cancelling'],
  ['sent', 'sent', 'arrived'],
] as const)('the phase of a generation that is %s follows from its upload item', (_, state, phase) => {
  expect(phaseOf(after(single, picked('a'), started('a')), [job(state)])).toBe(phase)
})

test('the phase of an arrived generation follows from the server, whatever the upload item says', () => {
  expect(phaseOf(after(single, picked('a'), started('a')), done('a'))).toBe('arrived')
  for (const item of [null, 'sent', 'sending', 'waiting', 'cancelling'] as const) {
    const phases = (status?: GenerationStatus) => generationPhase(job(item, 'r'), status && { status })
    expect(phases()).toBe('arrived')
    expect((['queued', 'detecting', 'generating'] as const).map(phases)).toEqual(['running', 'running', 'running'])
    expect((['succeeded', 'failed', 'cancelled'] as const).map(phases)).toEqual(['succeeded', 'failed', 'cancelled'])
  }
})

test('a lost upload item leaves its picture and options as a draft, and a returning one is followed again', () => {
  const chosen = after(single, picked('a'), drawn, started('a'))
  expect(phaseOf(chosen, [job(null)])).toBe('ready')
  const current = currentStudio(chosen, [job(null)], null)
  expect(current).toEqual(after(single, picked('a'), drawn))
  expect(isDraft(current)).toBe(true)
  expect(currentStudio(chosen, [job('waiting')], null)).toBe(chosen)
})

test('several generations stay a batch, also those that were lost', () => {
  const chosen = after(batch, picked('a', 'b'), started('a', 'b'))
  for (const jobs of [[job('sending'), job('waiting')], [job(null), job(null)], done('a', 'b')]) {
    expect(phaseOf(chosen, jobs)).toBe('batch')
    expect(currentStudio(chosen, jobs, null)).toBe(chosen)
  }
})

test('a studio has no part in generations of other tabs, or of itself before a reload', () => {
  expect(phaseOf(after(single), [job('sending')])).toBe('empty')
  expect(phaseOf(after(single, picked('a')), [job('sending', 'r')])).toBe('ready')
})

test('an arrived result is open until its address has been left, in any phase of the generation', () => {
  const chosen = after(single, picked('a'), started('a'))
  expect(currentStudio(chosen, done('a'), null)).toBe(chosen)
  const opened = reduceStudio(single, chosen, { type: 'opened' })
  for (const jobs of [done('a'), [job('sent', 'r')], [job(null)]]) {
    expect(currentStudio(opened, jobs, 'result of a')).toBe(opened)
    expect(phaseOf(currentStudio(opened, jobs, null), jobs)).toBe('empty')
  }
  const other = currentStudio(opened, done('a'), null)
  expect(ids(reduceStudio(single, other, picked('b')))).toEqual(['b'])
})

test('a further picture is added while there is room, and starts a new draft beside generations or a result', () => {
  expect(ids(after(batch, picked('a'), picked('b')))).toEqual(['a', 'b'])
  expect(ids(after(single, picked('a'), picked('b')))).toEqual(['a'])
  const anew = after(single, picked('a'), drawn, started('a'), picked('b'))
  expect([ids(anew), anew.generations, anew.stage]).toEqual([['b'], [], null])
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
  expect(state).toMatchObject({ ...settings, generations: [] })
})

test('drawings are removed with their picture, and stay where several are arranged', () => {
  const without = (id: string): StudioEvent => ({
    type: 'rearranged',
    input: 'picture',
    files: (now) => now.filter((picture) => picture.id !== id),
  })
  const gone = after(single, picked('a'), drawn, without('a'))
  expect([phaseOf(gone, []), gone.stage]).toEqual(['empty', null])
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
  const failed = [picked('a', 'b'), started('a', 'b')]
  const state = after(batch, ...failed, { type: 'triedAgain', picture: photo('b'), help })
  expect([phaseOf(state, []), ids(state)]).toEqual(['ready', ['b']])
  expect(state).toMatchObject({ params: { format: 'png', subject: 'object' }, stage: { box: 'helped' } })
})

test('starting over removes pictures, drawings and generations, and keeps the options', () => {
  const options: StudioEvent = { type: 'changed', settings: { params: { format: 'jpeg' }, shrink: false } }
  const state = after(single, picked('a'), options, drawn, started('a'), { type: 'startedAgain' })
  const settings = { params: { format: 'jpeg' }, shrink: false, stage: null }
  expect(state).toEqual({ inputs: {}, generations: [], replaced: null, stages: {}, ...settings })
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
  const ran = after(single, picked('a'), started('a'), { type: 'startedAgain' })
  expect(ran.replaced).toBeNull()
})

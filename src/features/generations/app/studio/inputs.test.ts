import { expect, test } from 'vitest'
import type { InputSpec } from '#tools/contract/tool.ts'
import type { ChosenPicture } from '../picture.ts'
import { acceptedTypes, askedInputs, generationInfo, generationsOf, kindFor, maxFiles, missingInput } from './inputs.ts'
import { countSharingMarks, setOwnMarks, stageOf, stateOfGeneration, withStage } from './stage-of.ts'
import { distribute, emptyStudio } from './studio-state.ts'

const picture = (min: number, max: number): InputSpec => ({
  kind: 'picture',
  label: { id: 'x', message: 'x' },
  min,
  max,
})
const plane: InputSpec = { kind: 'plane', label: { id: 'm', message: 'm' }, min: 0, max: 1 }

type Page = Parameters<typeof askedInputs>[0]
const pageOf = (inputs: Record<string, InputSpec>, batch?: { input: string; max: number }, panelInputs?: string[]) =>
  ({ definition: { inputs, ...(batch && { batch }) }, ...(panelInputs && { panelInputs }) }) as unknown as Page

const chosen = (id: string, size = { width: 400, height: 300 }): ChosenPicture => ({
  id,
  name: `${id}.png`,
  original: new Blob([id], { type: 'image/png' }),
  size,
})
const ids = (inputs: Readonly<Record<string, readonly ChosenPicture[]>>) =>
  Object.fromEntries(Object.entries(inputs).map(([name, pictures]) => [name, pictures.map(({ id }) => id)]))

const single = pageOf({ picture: picture(1, 1), background: picture(0, 1) }, { input: 'picture', max: 20 }, [
  'background',
])
const faces = pageOf({ target: picture(1, 1), faces: picture(1, 8), mask: plane })

test('the studio offers the inputs that neither the panel nor its stage provides', () => {
  expect(askedInputs(single).map(([name]) => name)).toEqual(['picture'])
  expect(askedInputs(faces).map(([name]) => name)).toEqual(['target', 'faces'])
})

test('several pictures mean several generations only where the contract has a batch', () => {
  const three = [chosen('a'), chosen('b'), chosen('c')]
  expect(generationsOf(single.definition, { picture: three, background: [chosen('g')] }).map(ids)).toEqual([
    { picture: ['a'], background: ['g'] },
    { picture: ['b'], background: ['g'] },
    { picture: ['c'], background: ['g'] },
  ])
  expect(generationsOf(faces.definition, { target: [chosen('t')], faces: three })).toHaveLength(1)
  expect([
    maxFiles(single.definition, 'picture'),
    maxFiles(faces.definition, 'target'),
    maxFiles(faces.definition, 'faces'),
  ]).toEqual([20, 1, 8])
})

test('further pictures go to the inputs in their order while there is space, or to the one they were chosen for', () => {
  const four = ['a', 'b', 'c', 'd'].map((id) => chosen(id))
  expect(ids(distribute(faces, {}, four).inputs)).toEqual({ target: ['a'], faces: ['b', 'c', 'd'] })
  expect(ids(distribute(faces, {}, [chosen('a')], 'faces').inputs)).toEqual({ faces: ['a'] })
  const full = distribute(faces, { target: [chosen('t')] }, [chosen('a'), chosen('b')], 'target')
  expect([ids(full.inputs), full.left]).toEqual([{ target: ['t'] }, 2])
  const many = pageOf(faces.definition.inputs, { input: 'target', max: 20 })
  expect(ids(distribute(many, {}, four).inputs)).toEqual({ target: ['a', 'c', 'd'], faces: ['b'] })
})

test('marks of a picture apply to all pictures of its shape in a batch, but those with marks of their own', () => {
  const page = pageOf({ picture: picture(1, 1) }, { input: 'picture', max: 20 })
  Object.assign(page, { stage: { batch: 'by shape' } })
  const [a, b] = [chosen('a'), chosen('b', { width: 800, height: 600 })]
  const tall = chosen('tall', { width: 300, height: 400 })
  const inputs = { picture: [a, b, tall] }
  let state = { ...emptyStudio({}), inputs }
  const marks = () => inputs.picture.map((one) => stageOf(page, state, one))
  state = { ...state, ...withStage(page, state, a, 'left') }
  expect(marks()).toEqual(['left', 'left', null])
  expect([countSharingMarks(inputs.picture, a), countSharingMarks(inputs.picture, tall)]).toEqual([2, 1])
  state = { ...state, ...setOwnMarks(page, state, b, true) }
  expect(marks()).toEqual(['left', 'left', null])
  state = { ...state, ...withStage(page, state, b, 'right') }
  state = { ...state, ...withStage(page, state, tall, 'top') }
  expect(marks()).toEqual(['left', 'right', 'top'])
  expect(
    generationsOf(page.definition, inputs).map((generation) => stateOfGeneration(page, state, generation).stage),
  ).toEqual(marks())
  state = { ...state, ...setOwnMarks(page, state, b, false) }
  expect(marks()).toEqual(['left', 'left', 'top'])
})

const clip: ChosenPicture = {
  id: 'v',
  name: 'v.mp4',
  original: new Blob(['v'], { type: 'video/mp4' }),
  size: null,
  seconds: 3,
}

test('videos go to video inputs and pictures to picture inputs, in any order of choosing', () => {
  const film = pageOf({ video: { ...picture(1, 1), kind: 'video' }, background: picture(0, 1) })
  expect(ids(distribute(film, {}, [chosen('a'), clip]).inputs)).toEqual({ video: ['v'], background: ['a'] })
  expect(distribute(faces, {}, [clip]).left).toBe(1)
  expect([kindFor(film, { type: 'video/mp4' }), kindFor(film, { type: 'image/png' })]).toEqual(['video', 'picture'])
  expect([kindFor(film, { type: '' }), kindFor(faces, { type: 'video/mp4' })]).toEqual(['picture', 'picture'])
  expect([acceptedTypes(film), acceptedTypes(film, 'video'), acceptedTypes(faces)]).toEqual([
    'video/*,image/*',
    'video/*',
    'image/*',
  ])
})

test('findings of the photo check are part of the price and the problems', () => {
  const face = { input: 'target', position: 0, box: { x: 1, y: 2, width: 3, height: 4 }, points: [] }
  const view = { credits: 9, facts: { people: 1 }, faces: [face], warnings: [], problems: [], checks: [] }
  const generation = generationInfo(faces.definition, { target: [chosen('t')] }, { shrink: true }, view)
  expect(generation.photoCheck).toMatchObject({ faces: [face], facts: { people: 1 } })
})

test('a generation can start once every input has enough files', () => {
  expect(missingInput(faces.definition, { target: [chosen('t')] })).toBe(faces.definition.inputs.faces)
  expect(missingInput(faces.definition, { target: [chosen('t')], faces: [chosen('a')] })).toBeUndefined()
})

test('a price may depend on the sizes that will be sent', () => {
  const inputs = { target: [chosen('t', { width: 8192, height: 4096 })] }
  const shrunk = generationInfo(faces.definition, inputs, { shrink: true })
  expect(shrunk.inputs).toMatchObject({ target: [{ width: 6144, height: 3072, bytes: 1 }], faces: [], mask: [] })
  const whole = generationInfo(faces.definition, inputs, { shrink: false })
  expect(whole.inputs.target).toMatchObject([{ width: 8192, height: 4096 }])
})

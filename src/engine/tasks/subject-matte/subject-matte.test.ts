import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { EngineHost } from '#engine/host.ts'
import { solidPicture } from '#engine/image/composite.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { pastePicture } from '#engine/image/pixels.ts'
import { valueAt } from '#engine/image/plane.ts'
import type { Box } from '#shared/media.ts'
import { photo } from '#tests/support/composites.ts'
import { testHost } from '#tests/support/test-host.ts'
import { decodePicture } from '../../node/codecs.ts'
import { findSubject } from './find-subject.ts'
import { explainUnclearSubject, findMatte, mergePeopleMattes } from './subject-matte.ts'

function boxes(...places: [left: number, right: number, value?: number][]): Plane {
  const plane = createPlane(100, 40)
  for (const [left, right, value = 1] of places) {
    for (let y = 0; y < 40; y++) plane.data.fill(value, 100 * y + left, 100 * y + right)
  }
  return plane
}

test('takes a confident network’s matte with held objects and its own edges', () => {
  const network = boxes([9, 10, 0.4], [10, 60])
  expect(mergePeopleMattes(network, boxes([12, 40]))).toEqual(network)
})

test('adds a person the network missed', () => {
  const found = mergePeopleMattes(boxes([10, 40], [60, 61, 0.2]), boxes([12, 38], [60, 80]))
  expect(found).toEqual(boxes([10, 40], [60, 80]))
})

test('drops a doubtful region beside a certain person', () => {
  expect(mergePeopleMattes(boxes([10, 40], [50, 90, 0.5]), boxes([12, 40]))).toEqual(boxes([10, 40]))
})

test('falls back to the person model’s matte if the network hesitates', () => {
  const own = boxes([12, 40])
  expect(mergePeopleMattes(boxes([10, 40], [40, 90, 0.5]), own)).toBe(own)
})

test('a person whom the detector sees and the mask lacks is asked about, with everyone else', async () => {
  const group = await decodePicture(await sharp(photo('group.jpg')).resize(600).png().toBuffer())
  const picture = solidPicture(800, group.height, '#8a8780')
  pastePicture(picture, group, 0, 0)
  const host = testHost()
  // The area beside the portraits is empty.
  const objects: typeof host.objects = async ({ width, height }) => [
    { label: 'person', confidence: 0.6, box: { x: 0.8 * width, y: 0, width: 0.2 * width, height } },
  ]
  const unclear = await explainUnclearSubject(picture, { subject: 'auto' }, { ...host, objects })
  expect(unclear?.code).toBe('engine.people_unsure')
  expect(unclear?.people?.length).toBeGreaterThan(2)
  const asked = { subject: 'auto', mayGuess: false } as const
  await expect(findMatte(picture, asked, { ...host, objects })).rejects.toMatchObject({ code: 'engine.people_unsure' })
})

const figure = { x: 140, y: 60, width: 30, height: 120 }
const standing = solidPicture(320, 200, '#101010')
pastePicture(standing, solidPicture(figure.width, figure.height, '#e0e0e0'), figure.x, figure.y)

/** A host that sees the figure's upper half in the whole picture, and `part` in a closer view. */
function hostSeeing(part: 'legs' | 'upper half'): EngineHost {
  const host = testHost()
  let isWhole = true
  return {
    ...host,
    resize: (picture, ...size) => {
      isWhole = picture.width === standing.width
      return host.resize(picture, ...size)
    },
    faces: async () => [],
    objects: async () => [{ label: 'person', confidence: 0.9, box: figure }],
    salience: async ({ width, height }) => ({ width, height, data: new Uint8Array(width * height) }),
    personMask: async ({ width, height, data }) => {
      const isBright = (i: number) => (data[4 * i] as number) > 128
      const rows = Array.from({ length: height }, (_, y) => y).filter((y) =>
        Array.from({ length: width }, (_, x) => y * width + x).some(isBright),
      )
      const last = isWhole || part === 'upper half' ? rows[Math.floor(rows.length / 2)] : rows.at(-1)
      const mask = createPlane(width, height)
      return { ...mask, data: mask.data.map((_, i) => (isBright(i) && i < width * ((last ?? 0) + 1) ? 1 : 0)) }
    },
  }
}

test('legs that the view of the whole picture lacks are found by a closer one', async () => {
  const matte = await findMatte(standing, { subject: 'auto', mayGuess: false }, hostSeeing('legs'))
  expect(matte.data[170 * standing.width + 155]).toBeGreaterThan(200)
  const picked = await findMatte(standing, { subject: 'auto', people: [figure] }, hostSeeing('legs'))
  expect(picked.data[170 * standing.width + 155]).toBeGreaterThan(200)
})

test('the heads in a picked box stay where no network sees a person', async () => {
  const heads = [60, 100].map((y) => ({ x: 145, y, width: 20, height: 20 }))
  const host: EngineHost = {
    ...hostSeeing('legs'),
    faces: async () =>
      heads.map((box) => ({ box, confidence: 1, fit: 1, points: [], pose: { yaw: 0, pitch: 0, roll: 0 } })),
    personMask: async () => createPlane(256, 256),
  }
  const { mask } = await findSubject(standing, { subject: 'auto', people: [figure] }, host)
  for (const y of [70, 110]) {
    expect(valueAt(mask, 155 * (mask.width / standing.width), y * (mask.height / standing.height))).toBeGreaterThan(0.9)
  }
})

test('a closer view knows the person, and searches for neither faces nor objects', async () => {
  const host = hostSeeing('legs')
  const searched: Picture[] = []
  const noting =
    <Found>(search: (picture: Picture) => Found) =>
    (picture: Picture) => {
      searched.push(picture)
      return search(picture)
    }
  const noted = { ...host, faces: noting(host.faces), objects: noting(host.objects) }
  await findMatte(standing, { subject: 'auto', mayGuess: false }, noted)
  expect(searched.map(({ width }) => width)).toEqual([standing.width, standing.width])
})

test('a person whose legs no view finds is asked about', async () => {
  const unclear = await explainUnclearSubject(standing, { subject: 'auto' }, hostSeeing('upper half'))
  expect(unclear?.code).toBe('engine.people_unsure')
})

test('a thing from edge to edge behind people, such as a wall, is asked about', async () => {
  const picture = solidPicture(320, 200, '#101010')
  pastePicture(picture, solidPicture(320, 60, '#3050a0'), 0, 0)
  pastePicture(picture, solidPicture(20, 60, '#e0e0e0'), 150, 120)
  const salienceTo = (share: number): EngineHost => ({
    ...hostSeeing('legs'),
    objects: async () => [{ label: 'person', confidence: 0.42, box: { x: 150, y: 120, width: 20, height: 60 } }],
    salience: async ({ width, height }) => ({
      width,
      height,
      data: Uint8Array.from({ length: width * height }, (_, i) =>
        i < 0.3 * width * height && i % width < share * width ? 255 : 0,
      ),
    }),
  })
  const codeOf = async (share: number) =>
    (await explainUnclearSubject(picture, { subject: 'auto' }, salienceTo(share)))?.code
  expect(await codeOf(1)).toBe('engine.subject_unsure')
  expect(await codeOf(0.8)).toBeUndefined()
})

/** A host that detects the boxes as people, and masks pixels as people by their brightness. */
const hostDetecting = (figures: readonly Box[], confidence = 0.9): EngineHost => ({
  ...testHost(),
  faces: async () => [],
  objects: async ({ width }) => (width < 320 ? [] : figures.map((box) => ({ label: 'person', confidence, box }))),
  salience: async ({ width, height }) => ({ width, height, data: new Uint8Array(width * height) }),
  personMask: async ({ width, height, data }) => ({
    ...createPlane(width, height),
    data: Float32Array.from({ length: width * height }, (_, i) => (data[4 * i] as number) / 255),
  }),
})

function pictureOf(figures: readonly Box[], brightness: string): Picture {
  const picture = solidPicture(320, 200, '#000000')
  for (const { x, y, width, height } of figures) pastePicture(picture, solidPicture(width, height, brightness), x, y)
  return picture
}

const codeFor = async (picture: Picture, figures: readonly Box[]) =>
  (await explainUnclearSubject(picture, { subject: 'auto' }, hostDetecting(figures)))?.code

test.each([
  [6, 'engine.people_unsure'],
  [5, undefined],
] as const)('a smaller person who is missing among %i people is asked about: %s', async (count, code) => {
  const near = Array.from({ length: count - 1 }, (_, i) => ({ x: 10 + 50 * i, y: 60, width: 30, height: 120 }))
  const far = { x: 270, y: 60, width: 16, height: 40 }
  expect(await codeFor(pictureOf(near, '#ffffff'), [...near, far])).toBe(code)
})

/** A host that sees an unsure figure, of whose lower half only the salience is `salient`. */
function hostSuspecting(figure: Box, salient: number): EngineHost {
  const lowerHalf: EngineHost['salience'] = async ({ width, height, data }) => ({
    width,
    height,
    data: Uint8Array.from({ length: width * height }, (_, i) =>
      i > 0.5 * width * height && (data[4 * i] as number) > 128 ? salient : 0,
    ),
  })
  return { ...hostDetecting([figure], 0.2), salience: lowerHalf }
}

describe('an unsure figure of which only a part is salient', () => {
  const figure = { x: 140, y: 20, width: 40, height: 160 }
  const picture = pictureOf([figure], '#ffffff')
  const blind: EngineHost['personMask'] = async ({ width, height }) => createPlane(width, height)

  /** As of a figure that holds a cup in front of it. */
  const narrow = { ...figure, x: 152, width: 28 }

  test.each([
    ['is whole if the person network sees it', figure, {}, 255],
    ['is whole if the salient part reaches out of its box', narrow, {}, 255],
    ['is a thing if the person network sees no person', figure, { personMask: blind }, 0],
  ])('%s', async (_, box, change, upper) => {
    const host = { ...hostSuspecting(box, 255), ...change }
    const { data } = await findMatte(picture, { subject: 'auto', mayGuess: false }, host)
    expect([data[320 * 40 + 160], data[320 * 150 + 160]]).toEqual([upper, 255])
  })

  test('is asked about if the salience is unsure', async () => {
    const unclear = await explainUnclearSubject(picture, { subject: 'auto' }, hostSuspecting(figure, 200))
    expect(unclear?.code).toBe('engine.subject_unsure')
  })
})

test.each([
  ['stays if the detector confirms it', 255],
  ['is dropped if it does not', 0],
])('a region of another person beside a single portrait %s', async (_, alpha) => {
  const portrait = { x: 20, y: 10, width: 100, height: 190 }
  const listener = { x: 210, y: 60, width: 80, height: 140 }
  const box = { x: 40, y: 20, width: 60, height: 60 }
  const found = { box, confidence: 1, fit: 1, points: [], pose: { yaw: 0, pitch: 0, roll: 0 } }
  const host = { ...hostDetecting(alpha > 0 ? [listener] : []), faces: async () => [found] }
  const picture = pictureOf([portrait, listener], '#ffffff')
  const { data } = await findMatte(picture, { subject: 'auto', mayGuess: false }, host)
  expect([data[320 * 150 + 70], data[320 * 150 + 250]]).toEqual([255, alpha])
})

test.each([
  [60, 'engine.people_unsure'],
  [15, undefined],
] as const)('a region %i px high where only the person model sees one is asked about: %s', async (height, code) => {
  const people = [20, 70].map((x) => ({ x, y: 60, width: 30, height: 120 }))
  const unknown = { x: 200, y: 60, width: 30, height }
  expect(await codeFor(pictureOf([...people, unknown], '#ffffff'), people)).toBe(code)
})

test('distant people do not make a faint region as large as a person', async () => {
  const people = [20, 70].map((x) => ({ x, y: 60, width: 30, height: 120 }))
  const distant = Array.from({ length: 6 }, (_, i) => ({ x: 10 + 10 * i, y: 10, width: 4, height: 10 }))
  const faint = { x: 200, y: 60, width: 30, height: 15 }
  expect(await codeFor(pictureOf([...people, ...distant, faint], '#ffffff'), [...people, ...distant])).toBeUndefined()
})

test.each([
  [6, 30, 'engine.subject_unsure'],
  [5, 30, undefined],
  [6, 10, undefined],
] as const)('a thing beside %i suspected people %i px wide is asked about: %s', async (count, width, code) => {
  const crowd = Array.from({ length: count }, (_, i) => ({ x: 10 + 50 * i, y: 10, width, height: 2 * width }))
  const thing = { x: 130, y: 110, width: 60, height: 60 }
  const host: EngineHost = {
    ...hostDetecting(crowd, 0.2),
    salience: async (small) => ({ ...small, data: Uint8Array.from(small.data.filter((_, i) => i % 4 === 0)) }),
  }
  expect((await explainUnclearSubject(pictureOf([thing], '#ffffff'), { subject: 'auto' }, host))?.code).toBe(code)
})

describe('a thing of which the network grasps only the upper half in the whole picture', () => {
  const thing = { x: 120, y: 50, width: 80, height: 100 }
  const picture = pictureOf([thing], '#ffffff')
  /** A host whose salience of the lower half depends on how much of the view the thing fills. */
  const seeingLowerHalf = (near: number): EngineHost => ({
    ...hostDetecting([]),
    salience: async ({ width, height, data }) => {
      const bright = Array.from({ length: width * height }, (_, i) => (data[4 * i] as number) > 128)
      const rows = bright.flatMap((is, i) => (is ? [Math.floor(i / width)] : []))
      const middle = ((rows[0] ?? 0) + (rows.at(-1) ?? 0)) / 2
      const lower = rows.length > 0.5 * width * height ? near : 100
      return {
        width,
        height,
        data: Uint8Array.from(bright, (is, i) => (is ? (Math.floor(i / width) < middle ? 255 : lower) : 0)),
      }
    },
  })

  test('is kept whole without a question where a closer view shows all of it', async () => {
    const host = seeingLowerHalf(255)
    expect(await explainUnclearSubject(picture, { subject: 'object' }, host)).toBeUndefined()
    const { data } = await findMatte(picture, { subject: 'object', mayGuess: false }, host)
    expect([data[320 * 140 + 160], data[320 * 170 + 160]]).toEqual([255, 0])
  })

  test.each([
    ['is no clearer', 100],
    ['leaves out the lower half', 0],
  ])('is asked about with a box around all of it where the closer view %s', async (_, near) => {
    const unclear = await explainUnclearSubject(picture, { subject: 'object' }, seeingLowerHalf(near))
    expect(unclear?.code).toBe('engine.subject_unsure')
    const { x, y, width, height } = unclear?.box ?? thing
    expect([x <= 0.38, x + width >= 0.62, y <= 0.26, y + height >= 0.74]).toEqual(new Array(4).fill(true))
  })
})

describe('the user’s box around two people of whom only one body is salient', () => {
  const pair = [
    { x: 110, y: 40, width: 30, height: 120 },
    { x: 180, y: 40, width: 30, height: 120 },
  ]
  const seen = pictureOf(pair, '#f0f0f0')
  /** The lower half of the right one. */
  const isBody = (x: number, y: number) => x > 180 / 320 && x < 210 / 320 && y > 100 / 200 && y < 160 / 200
  const host: EngineHost = {
    ...hostDetecting(pair),
    salience: async ({ width, height }) => ({
      width,
      height,
      data: Uint8Array.from({ length: width * height }, (_, i) =>
        isBody((i % width) / width, Math.floor(i / width) / height) ? 255 : 0,
      ),
    }),
  }
  const around = { x: 90, y: 20, width: 140, height: 160 }
  const partsIn = async (box: Box, by = host) => {
    const { mask } = await findSubject(seen, { subject: 'object', box }, by)
    return [125, 195].flatMap((x) =>
      [50, 150].map((y) => valueAt(mask, (x * mask.width) / 320, (y * mask.height) / 200) > 0.5),
    )
  }

  test('means both of them, whole', async () => {
    expect(await partsIn(around)).toEqual([true, true, true, true])
  })

  test('means that thing where the person network sees no person', async () => {
    const personMask: typeof host.personMask = async ({ width, height }) => createPlane(width, height)
    expect(await partsIn(around, { ...host, personMask })).toEqual([false, false, false, true])
  })

  test('means that thing alone where it does not go around a person', async () => {
    expect(await partsIn({ x: 170, y: 95, width: 50, height: 75 })).toEqual([false, false, false, true])
  })
})

import { beforeEach, expect, test, vi } from 'vitest'
import { store } from '#client/session.ts'
import { clearUserData } from '#client/sign-out.ts'
import { drawingsAtom, drawSamples, type SampleOrder, samplesFor } from './samples.tsx'

const workers: FakeWorker[] = []

class FakeWorker {
  onmessage: ((event: { data: { name: string; url: string } }) => void) | null = null
  onerror: (() => void) | null = null
  ended = false
  order: unknown
  constructor() {
    workers.push(this)
  }
  postMessage(order: unknown) {
    this.order = order
  }
  terminate() {
    this.ended = true
  }
}

const shown = (order: SampleOrder) => samplesFor(store.get(drawingsAtom)['/scenes.js'], order)

beforeEach(() => {
  workers.length = 0
  store.set(drawingsAtom, {})
  vi.stubGlobal('window', {})
  vi.stubGlobal('Worker', FakeWorker)
})

test('samples of a photo stay while its panel is closed, and are removed with the photo', () => {
  const photo = new Blob(['one'])
  drawSamples('/scenes.js', photo)
  workers[0]?.onmessage?.({ data: { name: 'ink', url: 'data:ink' } })
  drawSamples('/scenes.js', photo)
  expect(workers).toHaveLength(1)
  expect(shown(photo)).toEqual({ ink: 'data:ink' })

  const other = new Blob(['two'])
  expect(shown(other)).toEqual({})
  drawSamples('/scenes.js', other)
  expect(workers.map(({ ended }) => ended)).toEqual([true, false])
  expect(shown(other)).toEqual({})
})

test('generic backdrops are shown until the samples of the current head are drawn', () => {
  drawSamples('/scenes.js', null)
  workers[0]?.onmessage?.({ data: { name: 'grey', url: 'data:grey' } })
  drawSamples('/scenes.js', 'head')
  expect(shown('head')).toEqual({ grey: 'data:grey' })
  expect(shown('another head')).toEqual({})
})

test('signing out removes the samples drawn of a photo', async () => {
  const photo = new Blob(['one'])
  drawSamples('/scenes.js', photo)
  workers[0]?.onmessage?.({ data: { name: 'ink', url: 'data:ink' } })
  await clearUserData('signed-out')
  expect(workers[0]?.ended).toBe(true)
  expect(shown(photo)).toEqual({})
})

test('a worker that could not be loaded is loaded again', () => {
  drawSamples('/scenes.js', null)
  workers[0]?.onerror?.()
  drawSamples('/scenes.js', null)
  expect(workers).toHaveLength(2)
})

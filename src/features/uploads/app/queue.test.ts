import { afterEach, expect, it, vi } from 'vitest'
import { store } from '#client/session.ts'
import type { UploadItem } from '#upload-queue/store.ts'
import { stayAwake } from './queue.ts'
import { uploadsAtom } from './use-job.ts'

const upload = (state: UploadItem['state']) => ({ state }) as UploadItem
const settled = () => new Promise((resolve) => setTimeout(resolve))

afterEach(() => {
  vi.unstubAllGlobals()
  store.set(uploadsAtom, [])
})

it('keeps the screen on only while an upload runs and the page is visible', async () => {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const see = (visibilityState: string) => {
    page.visibilityState = visibilityState
    page.dispatchEvent(new Event('visibilitychange'))
  }
  let locks = 0
  const request = async () => {
    locks += 1
    return {
      release: async () => {
        locks -= 1
      },
    }
  }
  vi.stubGlobal('document', page)
  vi.stubGlobal('navigator', { wakeLock: { request } })
  stayAwake()

  store.set(uploadsAtom, [upload('waiting')])
  await settled()
  expect(locks).toBe(0)
  store.set(uploadsAtom, [upload('sending'), upload('waiting')])
  store.set(uploadsAtom, [upload('sending')])
  await settled()
  expect(locks).toBe(1)
  see('hidden')
  await settled()
  expect(locks).toBe(0)
  see('visible')
  await settled()
  expect(locks).toBe(1)
  store.set(uploadsAtom, [upload('sent')])
  await settled()
  expect(locks).toBe(0)
})

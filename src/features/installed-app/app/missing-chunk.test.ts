import { beforeEach, expect, test, vi } from 'vitest'

const kept = new Map<string, string>()
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
}
const reload = vi.fn()

/**
 * A page that reloads on missing chunks; returns a function that dispatches an event at a moment.
 */
async function openPage() {
  const page = new EventTarget()
  vi.stubGlobal('window', page)
  const { reloadOnMissingChunk } = await import('./missing-chunk.ts')
  reloadOnMissingChunk()
  return (type: string, timeStamp: number) =>
    page.dispatchEvent(Object.defineProperty(new Event(type), 'timeStamp', { value: timeStamp }))
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

beforeEach(() => {
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('sessionStorage', storage)
  vi.stubGlobal('location', { reload })
  vi.stubGlobal('fetch', async () => new Response())
  kept.clear()
  reload.mockClear()
})

test('a missing chunk reloads the page, once for a build', async () => {
  const tell = await openPage()
  tell('vite:preloadError', 100)
  tell('vite:preloadError', 200)
  await settled()
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a chunk missing for want of a connection leaves the page as it is', async () => {
  const tell = await openPage()
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch')
  })
  tell('vite:preloadError', 100)
  await settled()
  expect(reload).not.toHaveBeenCalled()
})

test('a chunk aborted by leaving the page does not stop the navigation, and loads on return', async () => {
  const tell = await openPage()
  tell('beforeunload', 100)
  tell('vite:preloadError', 150)
  await settled()
  expect(reload).not.toHaveBeenCalled()
  tell('pageshow', 60_000)
  await settled()
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a page that stayed after all, as for a download, reloads again', async () => {
  const tell = await openPage()
  tell('beforeunload', 100)
  tell('vite:preloadError', 20_000)
  await settled()
  expect(reload).toHaveBeenCalledTimes(1)
})

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  deleteEngineCache,
  deleteOldEngineFiles,
  isEngineCached,
  loadEngineUpdate,
  measuredSpeed,
  serveEngineFile,
  splitFiles,
} from './engine-files.ts'

class MemoryCaches {
  held = new Map<string, Map<string, Response>>()
  has = async (name: string) => this.held.has(name)
  delete = async (name: string) => this.held.delete(name)
  async open(name: string) {
    const entries = this.held.get(name) ?? new Map<string, Response>()
    this.held.set(name, entries)
    return {
      match: async (key: string) => entries.get(key)?.clone(),
      put: async (key: string, response: Response) => void entries.set(key, response),
      add: async (key: string) => void entries.set(key, await fetch(`${origin}${key}`)),
      keys: async () => [...entries.keys()].map((key) => new Request(`${origin}${key}`)),
      delete: async (key: string) => entries.delete(new URL(key).pathname),
    }
  }
}

const origin = 'https://rupa.test'
const [worker, model, newWorker] = [
  '/assets/engine/engine-worker-Ab-1234x.js',
  '/assets/engine/selfie-Cd_5678y.tflite',
  '/assets/engine/engine-worker-Ef91-23z.js',
]
let caches: MemoryCaches
let requests: string[]
const kept = () => [...(caches.held.get('rupa-engine')?.keys() ?? [])]
const ask = (path: string) => serveEngineFile(new Request(`${origin}${path}`))

beforeEach(() => {
  caches = new MemoryCaches()
  requests = []
  vi.stubGlobal('caches', caches)
  vi.stubGlobal('fetch', async (request: Request | string) => {
    requests.push(new URL(typeof request === 'string' ? request : request.url).pathname)
    return new Response('bytes')
  })
})
afterEach(() => vi.unstubAllGlobals())

it('keeps the engine’s files out of the precache', () => {
  const entries = [{ url: 'assets/app-1.js', revision: null }, { url: worker.slice(1), revision: null }, 'index.html']
  const { app, engine } = splitFiles(entries)
  expect(app).toEqual([entries[0], 'index.html'])
  expect(engine).toEqual([worker])
})

it('requests an engine file from the network once', async () => {
  expect(await isEngineCached()).toBe(false)
  await ask(worker)
  await ask(worker)
  expect(requests).toEqual([worker])
  expect(await isEngineCached()).toBe(true)
})

it('loads the new version of the files that it has, and deletes outdated ones', async () => {
  await ask(worker)
  await ask(model)
  await loadEngineUpdate([newWorker, model, '/assets/engine/u2netp-Gh4567-w.bin'])
  expect(requests).toEqual([worker, model, newWorker])
  await deleteOldEngineFiles([newWorker, model])
  expect(kept()).toEqual([model, newWorker])
})

it('loads nothing for a new version if the engine was never cached', async () => {
  await loadEngineUpdate([newWorker, model])
  await deleteOldEngineFiles([newWorker, model])
  expect(requests).toEqual([])
  expect(await isEngineCached()).toBe(false)
})

it('deletes the cached engine', async () => {
  await ask(worker)
  await deleteEngineCache()
  expect(await isEngineCached()).toBe(false)
})

it('the speed is that of the fastest larger file from the network, and unknown without one', () => {
  const file = (transferSize: number, milliseconds: number) => ({
    transferSize,
    responseStart: 500,
    responseEnd: 500 + milliseconds,
  })
  expect(measuredSpeed([file(75_000, 1500), file(20_000, 250), file(900, 1)])).toBe(80_000)
  expect(measuredSpeed([file(0, 2), file(900, 1)])).toBeUndefined()
})

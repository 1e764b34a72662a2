import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { filesCachePrefix, forgetFiles } from '#client/device/forget.ts'
import { isFileRequest, serveFile } from './files.ts'

/** In insertion order. */
class MemoryCaches {
  held = new Map<string, Map<string, Response>>()
  async match(key: string, { cacheName }: { cacheName: string }) {
    return this.held.get(cacheName)?.get(key)?.clone()
  }
  async open(name: string) {
    const entries = this.held.get(name) ?? new Map<string, Response>()
    this.held.set(name, entries)
    return {
      match: async (key: string) => entries.get(key)?.clone(),
      put: async (key: string, response: Response) => void entries.delete(key) || entries.set(key, response),
      keys: async () => [...entries.keys()],
      delete: async (key: string) => entries.delete(key),
    }
  }
  async keys() {
    return [...this.held.keys()]
  }
  async delete(name: string) {
    return this.held.delete(name)
  }
}

let caches: MemoryCaches
let requests: string[]
let user: string | null
let kept: Promise<unknown>[]
let bytes: number
const origin = 'https://rupa.test'

const token = async () =>
  user && `h.${btoa(JSON.stringify({ sub: { id: user }, sid: 's', exp: 4_000_000_000 })).replaceAll('=', '')}.s`

function file(path: string): Request {
  return new Request(`${origin}${path}`)
}

async function ask(path: string): Promise<Response> {
  const answer = await serveFile(file(path), { waitUntil: (work) => void kept.push(work) }, token)
  await Promise.all(kept)
  return answer
}

const paths = (owner: string) => [...(caches.held.get(filesCachePrefix + owner)?.keys() ?? [])]

beforeEach(() => {
  caches = new MemoryCaches()
  requests = []
  kept = []
  user = 'siti'
  bytes = 10
  vi.stubGlobal('caches', caches)
  vi.stubGlobal('fetch', async (request: Request) => {
    requests.push(request.url)
    const response = new Response(new Uint8Array(bytes), { headers: { 'content-type': 'image/webp' } })
    Object.defineProperty(response, 'type', { value: 'basic' })
    const clone = response.clone.bind(response)
    Object.defineProperty(response, 'clone', { value: clone })
    return response
  })
})
afterEach(() => vi.unstubAllGlobals())

it('caches a picture by its path, so that another signature finds it offline', async () => {
  await ask('/api/files/1/hasil.png?expires=1&signature=a')
  const again = await ask('/api/files/1/hasil.png?expires=2&signature=b')
  expect(requests).toHaveLength(1)
  expect(again.headers.get('content-type')).toBe('image/webp')
  expect(paths('siti')).toEqual(['/api/files/1/hasil.png'])
})

it('never serves a user’s files to another user or to a visitor', async () => {
  await ask('/api/files/1/hasil.png')
  user = 'budi'
  await ask('/api/files/1/hasil.png')
  user = null
  await ask('/api/files/1/hasil.png')
  expect(requests).toHaveLength(3)
  expect(caches.held.size).toBe(2)
})

it('caches nothing for a user who signs out while the picture is loading', async () => {
  const answer = serveFile(file('/api/files/1/hasil.png'), { waitUntil: (work) => void kept.push(work) }, async () => {
    const held = await token()
    user = null
    return held
  })
  await answer
  await Promise.all(kept)
  expect(caches.held.size).toBe(0)
})

it('caches at most 160 pictures and evicts the oldest', async () => {
  for (let index = 0; index < 165; index++) await ask(`/api/files/${index}/a.webp`)
  expect(paths('siti')).toHaveLength(160)
  expect(paths('siti')[0]).toBe('/api/files/5/a.webp')
})

it('caches at most 64 MB, and no file above 6 MB', async () => {
  bytes = 5 * 1024 * 1024
  for (let index = 0; index < 14; index++) await ask(`/api/files/${index}/a.webp`)
  expect(paths('siti')).toHaveLength(12)
  bytes = 7 * 1024 * 1024
  await ask('/api/files/large/a.webp')
  expect(paths('siti')).not.toContain('/api/files/large/a.webp')
})

it('deletes the cached pictures of all users but keeps the app', async () => {
  await ask('/api/files/1/a.webp')
  await caches.open('workbox-precache-v2')
  await forgetFiles()
  expect([...caches.held.keys()]).toEqual(['workbox-precache-v2'])
})

it('leaves downloads, parts of videos, other methods and the rest of the API to the network', () => {
  const takes = (request: Request) => isFileRequest(request, new URL(request.url))
  expect(takes(file('/api/files/1/a.webp?signature=a'))).toBe(true)
  expect(takes(file('/api/files/1/a.webp?download=1'))).toBe(false)
  expect(takes(file('/api/custom_edit_files/1/a.jpg?signature=a&size=small'))).toBe(true)
  expect(takes(file('/api/custom_edit_files/1/a.jpg?signature=a'))).toBe(false)
  expect(takes(file('/api/generations'))).toBe(false)
  expect(takes(new Request(`${origin}/api/files/1/a.mp4`, { headers: { range: 'bytes=0-1' } }))).toBe(false)
  expect(takes(new Request(`${origin}/api/files/1/a.webp`, { method: 'DELETE' }))).toBe(false)
})

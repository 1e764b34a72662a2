import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UnreadableFile } from '#client/device/local-file.ts'
import { NetworkError } from '#client/device/network-error.ts'
import { indexedDbStore as uploads } from './indexed-db-store.ts'
import { Sender, type SenderPorts } from './sender.ts'
import {
  addUpload,
  deleteItems,
  filesOf,
  findLostFiles,
  type NewFile,
  type QueueMessage,
  type UploadItem,
  type UploadStore,
} from './store.ts'
import { dismissed, priceAccepted, retried, withCancellation, withReplacement } from './transitions.ts'
import type { FileToSend, ServerResponse, Transport } from './transport.ts'

const find = (store: UploadStore, id: string) => store.change(id, () => undefined)

const start = Date.parse('2026-11-21T08:00:00Z')
let now = start
let token: string | null
let posted: QueueMessage[]
let posts: string[]

function tokenOf(userId: string, session = `session of ${userId}`, expiresAt = start + 3_600_000): string {
  const claims = { sub: { id: userId, name: 'Siti Aminah 🌸' }, sid: session, exp: expiresAt / 1000 }
  const text = String.fromCharCode(...new TextEncoder().encode(JSON.stringify(claims)))
  return `header.${btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}.signature`
}

interface GenerationBody {
  headers: Record<string, string>
  body: { tool: string; params: object; inputs: Record<string, { upload: string }[]>; expected_credits: number }
}
type Response = Partial<ServerResponse> | 'no response' | 'lost response'

/**
 * Records its requests. `no response`: nothing arrives, not even files; `lost response`: the
 * request arrives.
 */
function server(...responses: Response[]) {
  const requests: GenerationBody[] = []
  const files: FileToSend[] = []
  const next = () => responses[Math.min(requests.length, responses.length - 1)] ?? 'no response'
  const transport: Transport = {
    async upload(file, { onBegun, onProgress }) {
      files.push(file)
      if (next() === 'no response') {
        requests.push({ headers: file.headers, body: {} as GenerationBody['body'] })
        throw new NetworkError()
      }
      onBegun(file.uploadUrl ?? `/api/uploads/upload-${files.length}`)
      onProgress(file.blob.size)
      return undefined
    },
    async post(url, headers, body) {
      if (url.endsWith('/cancel')) {
        posts.push(url)
        return { status: 200, retryAfter: null, body: null }
      }
      const response = next()
      requests.push({ headers, body: body as GenerationBody['body'] })
      if (response === 'no response' || response === 'lost response') throw new NetworkError()
      return { status: 500, retryAfter: null, body: null, ...response }
    },
  }
  return { transport, requests, files }
}

function runner(run: () => Promise<ServerResponse>, cancelled: Transport['post'] = server().transport.post): Transport {
  const { upload } = server(created).transport
  return { upload, post: (url, ...rest) => (url.endsWith('/cancel') ? cancelled(url, ...rest) : run()) }
}

function sender(transport: Transport, ports: Partial<SenderPorts> = {}): Sender {
  return new Sender({
    uploads,
    transport,
    token: async () => token,
    announce: (message) => posted.push(message),
    now: () => now,
    random: () => 0.5,
    ...ports,
  })
}

const jpeg = (content: string) => new Blob([content], { type: 'image/jpeg' })

function portrait(userId = 'siti', name = 'potret.jpg', more: Record<string, { name: string; blob: Blob }[]> = {}) {
  return addUpload(
    uploads,
    {
      userId,
      kind: 'generation',
      tool: 'background-removal',
      params: { format: 'png' },
      inputs: { picture: [{ name, blob: jpeg('jpeg bytes') }], ...more },
      price: 5,
      preview: null,
      language: 'id',
    },
    now++,
  )
}

async function item(id: string): Promise<UploadItem> {
  const found = await find(uploads, id)
  if (!found) throw new Error('the upload is gone')
  return found
}

const created = { status: 201, body: { id: 'generation-1', tool: 'background-removal' } }

beforeEach(() => {
  now = start
  token = tokenOf('siti')
  posted = []
  posts = []
})
afterEach(() => deleteItems(uploads))

describe('a file that the device has lost', () => {
  const lose = (id: string, files = [new Blob()]) => uploads.change(id, (item) => ({ ...item }), files)
  const network = () => {
    const answering = server(created)
    const post = server('no response').transport.post
    return { ...answering, cutOff: { ...answering.transport, post } }
  }

  it.each([
    ['is missing', []],
    ['is empty', [new Blob()]],
    ['is shorter than recorded', [jpeg('jpeg')]],
  ])('has to be chosen again if it %s, and is never sent or said to wait for the network', async (_, files) => {
    const id = await portrait()
    await lose(id, files)
    const { transport, requests, files: sent } = server(created)
    expect(await sender(transport).send()).toEqual({ waiting: 0, nextAt: null })
    expect(await item(id)).toMatchObject({ state: 'unreadable', lastStatus: null })
    expect(filesOf(await item(id))).toMatchObject([{ lost: true, uploadUrl: null }])
    expect([requests, sent]).toEqual([[], []])
    await uploads.change(id, retried)
    expect(await item(id)).toMatchObject({ state: 'unreadable' })
  })

  it('has to be chosen again when reading it fails on the way', async () => {
    const id = await portrait()
    const { transport } = server(created)
    const upload = () => Promise.reject(new UnreadableFile())
    await sender({ ...transport, upload }).send()
    expect(await item(id)).toMatchObject({ state: 'unreadable', uncertain: false })
    expect(await uploads.change(id, withCancellation)).toBeUndefined()
  })

  it('is sent under the same key once it is chosen again, with the others as they were', async () => {
    const id = await portrait('siti', 'potret.jpg', { background: [{ name: 'laut.jpg', blob: jpeg('sea') }] })
    await lose(id, [new Blob(), jpeg('sea')])
    const { transport, requests, files } = server(created)
    await sender(transport).send()
    const chosen = { name: 'lagi.jpg', blob: jpeg('the same again') }
    await uploads.change(id, withReplacement(0, chosen), [chosen.blob, jpeg('sea')])
    expect(await item(id)).toMatchObject({ state: 'waiting' })
    await sender(transport).send()
    expect(await Promise.all(files.map(({ blob }) => blob.text()))).toEqual(['the same again', 'sea'])
    expect(requests.map(({ headers }) => headers['Idempotency-Key'])).toEqual([id])
    expect(await item(id)).toMatchObject({ state: 'sent' })
  })

  it('does not matter once the server has it', async () => {
    const id = await portrait()
    const { transport, cutOff } = network()
    await sender(cutOff).send()
    await lose(id)
    expect(await findLostFiles(uploads, await item(id))).toEqual([])
    await sender(transport).send({ eager: true })
    expect(await item(id)).toMatchObject({ state: 'sent' })
  })
})

describe('a generation with a response', () => {
  it('follows its files, with its key, the current token and language, and the agreed price', async () => {
    const id = await portrait('siti', 'potret.jpg', { background: [{ name: 'pantai.jpg', blob: jpeg('sea') }] })
    const { transport, requests, files } = server(created)
    await sender(transport).send()
    const headers = { Authorization: `Bearer ${token}`, 'Accept-Language': 'id' }
    expect(files.map(({ blob: _, ...file }) => file)).toEqual([
      { name: 'potret.jpg', uploadUrl: null, headers },
      { name: 'pantai.jpg', uploadUrl: null, headers },
    ])
    expect(await Promise.all(files.map(({ blob }) => blob.text()))).toEqual(['jpeg bytes', 'sea'])
    expect(requests).toEqual([
      {
        headers: { ...headers, 'Idempotency-Key': id },
        body: {
          tool: 'background-removal',
          params: { format: 'png' },
          inputs: { picture: [{ upload: 'upload-1' }], background: [{ upload: 'upload-2' }] },
          expected_credits: 5,
        },
      },
    ])
  })

  it.each([200, 201])('has arrived on %d: its bytes are removed, its generation is announced', async (status) => {
    const id = await portrait()
    await sender(server({ ...created, status }).transport).send()
    expect(await item(id)).toMatchObject({ state: 'sent', generationId: 'generation-1' })
    expect(await uploads.files(id)).toBeUndefined()
    expect(posted).toContainEqual({ type: 'sent', id, userId: 'siti', generation: created.body })
    await uploads.change(id, dismissed)
    expect(await uploads.list()).toEqual([])
  })

  it.each([500, 502, 503, 504, 408, 425, 429])('waits on %d and is not sent again before its pause', async (status) => {
    const id = await portrait()
    const { transport, requests } = server({ status })
    const result = await sender(transport).send({ eager: true })
    expect(await item(id)).toMatchObject({ state: 'waiting', lastStatus: status, attempts: 1, nextAt: now + 2000 })
    expect(result).toEqual({ waiting: 1, nextAt: now + 2000 })
    await sender(transport).send({ eager: true })
    expect(requests).toHaveLength(1)
    now += 2000
    await sender(transport).send()
    expect(await item(id)).toMatchObject({ attempts: 2, nextAt: now + 4000 })
  })

  it.each([
    ['7', 7000],
    ['Sat, 21 Nov 2026 08:01:00 GMT', 60_000],
  ])('waits as long as Retry-After: %s requires', async (retryAfter, pause) => {
    const id = await portrait()
    now = start
    await sender(server({ status: 503, retryAfter }).transport).send()
    expect((await item(id)).nextAt).toBe(start + pause)
  })

  it('waits on a 200 that is not from our server, such as the sign-in page of a hotel', async () => {
    const id = await portrait()
    await sender(server({ status: 200, body: null }).transport).send()
    expect(await item(id)).toMatchObject({ state: 'waiting', uncertain: true })
    expect(await uploads.files(id)).toHaveLength(1)
  })

  it('asks to sign in on 401, is not sent under that session and is sent under a new one', async () => {
    const id = await portrait()
    const { transport, requests } = server(
      { status: 401, body: { code: 'auth.expired', msg: 'Sesi berakhir' } },
      created,
    )
    await sender(transport).send()
    expect(await item(id)).toMatchObject({ state: 'sign_in', message: 'Sesi berakhir' })
    await sender(transport).send({ eager: true })
    expect(requests).toHaveLength(1)
    token = tokenOf('siti', 'a new session')
    await sender(transport).send()
    expect(requests[1]?.headers.Authorization).toBe(`Bearer ${token}`)
    expect(await item(id)).toMatchObject({ state: 'sent' })
  })

  it('needs credits on 402 and is sent when it is retried', async () => {
    const id = await portrait()
    const body = { code: 'credits.insufficient', msg: 'Kreditmu kurang' }
    const { transport, requests } = server({ status: 402, body }, created)
    await sender(transport).send()
    expect(await item(id)).toMatchObject({ state: 'credits', message: 'Kreditmu kurang' })
    await sender(transport).send({ eager: true })
    expect(requests).toHaveLength(1)
    await uploads.change(id, retried)
    await sender(transport).send()
    expect(await item(id)).toMatchObject({ state: 'sent' })
  })

  it('asks about a changed price on 409 and is sent with the price that was accepted, and with no other', async () => {
    const id = await portrait()
    const body = { code: 'credits.price_changed', msg: 'Harganya berubah', details: { credits: '8' } }
    const { transport, requests } = server({ status: 409, body }, created)
    await sender(transport).send()
    expect(await item(id)).toMatchObject({ state: 'confirm', price: 5, askedPrice: 8 })
    await uploads.change(id, retried)
    await uploads.change(id, priceAccepted(7))
    await sender(transport).send({ eager: true })
    expect(requests).toHaveLength(1)
    await uploads.change(id, priceAccepted(8))
    await sender(transport).send()
    expect(requests[1]?.body.expected_credits).toBe(8)
    expect(requests[1]?.headers['Idempotency-Key']).toBe(id)
    expect(await item(id)).toMatchObject({ state: 'sent', price: 8 })
  })

  it.each([400, 403, 404, 409, 413, 415, 422])(
    'is refused on %d with the server’s message, and keeps its picture until dismissed',
    async (status) => {
      const id = await portrait()
      const { transport, requests } = server({ status, body: { code: 'upload.not_image', msg: 'Hanya gambar ya' } })
      await sender(transport).send()
      expect(await item(id)).toMatchObject({ state: 'refused', message: 'Hanya gambar ya', code: 'upload.not_image' })
      await sender(transport).send({ eager: true })
      expect(requests).toHaveLength(1)
      expect(await uploads.files(id)).toHaveLength(1)
      await uploads.change(id, dismissed)
      expect(await uploads.files(id)).toBeUndefined()
    },
  )
})

describe('a generation without a response', () => {
  it('waits with a growing pause, and the return of the network cuts the pause short', async () => {
    const id = await portrait()
    const { transport, requests } = server('no response', 'no response', created)
    await sender(transport).send()
    expect(await item(id)).toMatchObject({ state: 'waiting', lastStatus: 0, nextAt: now + 2000, uncertain: false })
    await sender(transport).send()
    expect(requests).toHaveLength(1)
    await sender(transport).send({ eager: true })
    expect(await item(id)).toMatchObject({ attempts: 2, nextAt: now + 4000 })
    await sender(transport).send({ eager: true })
    expect(await item(id)).toMatchObject({ state: 'sent' })
  })

  it('is sent again under the same key when only the response was lost', async () => {
    const id = await portrait()
    const { transport, requests } = server('lost response', { ...created, status: 200 })
    await sender(transport).send()
    expect(await item(id)).toMatchObject({ state: 'waiting', uncertain: true })
    await sender(transport).send({ eager: true })
    expect(requests.map((request) => request.headers['Idempotency-Key'])).toEqual([id, id])
    expect(await item(id)).toMatchObject({ state: 'sent', generationId: 'generation-1' })
  })

  it('does not hold up the uploads behind it', async () => {
    const first = await portrait()
    const second = await portrait()
    const { transport } = server('no response', created)
    await sender(transport).send({ eager: true })
    expect([(await item(first)).state, (await item(second)).state]).toEqual(['waiting', 'sent'])
  })
})

describe('a file on its way', () => {
  const uploading = (upload: Transport['upload']) => ({ ...server(created).transport, upload })

  it('resumes at the last byte, and files that have arrived are not sent again', async () => {
    const id = await portrait('siti', 'potret.jpg', { background: [{ name: 'pantai.jpg', blob: jpeg('sea') }] })
    const broken = uploading(async (file, { onBegun }) => {
      onBegun(`/api/uploads/${file.name}`)
      if (file.name === 'pantai.jpg') throw new NetworkError()
      return undefined
    })
    await sender(broken).send()
    expect(await item(id)).toMatchObject({ state: 'waiting', uncertain: false, lastStatus: 0 })
    const { transport, files, requests } = server(created)
    await sender(transport).send({ eager: true })
    expect(files.map(({ name, uploadUrl }) => [name, uploadUrl])).toEqual([['pantai.jpg', '/api/uploads/pantai.jpg']])
    expect(requests[0]?.body.inputs).toEqual({
      picture: [{ upload: 'potret.jpg' }],
      background: [{ upload: 'pantai.jpg' }],
    })
  })

  it.each([404, 410])('starts anew when the server no longer knows it (%d)', async (status) => {
    const id = await portrait()
    await uploads.change(id, (current) => ({
      ...current,
      inputs: { picture: filesOf(current).map((file) => ({ ...file, uploadUrl: '/api/uploads/old' })) },
    }))
    await sender(uploading(async () => ({ status, retryAfter: null, body: null }))).send()
    expect(filesOf(await item(id))).toMatchObject([{ uploadUrl: null }])
    now += 2000
    await sender(server(created).transport).send()
    expect(await item(id)).toMatchObject({ state: 'sent' })
  })

  it.each(['upload.not_found', 'upload.not_ready'])(
    'is sent again when the generation finds it missing: %s',
    async (code) => {
      const id = await portrait()
      const { transport, files, requests } = server(
        { status: code === 'upload.not_found' ? 404 : 409, body: { code } },
        created,
      )
      await sender(transport).send()
      expect(await item(id)).toMatchObject({ state: 'waiting', uncertain: false })
      now += 2000
      await sender(transport).send()
      expect([files.length, requests.length]).toEqual([2, 2])
      expect(await item(id)).toMatchObject({ state: 'sent' })
    },
  )

  it('asks to sign in, waits or is refused as the server says, and no generation is sent', async () => {
    for (const [status, state] of [
      [401, 'sign_in'],
      [429, 'waiting'],
      [503, 'waiting'],
      [415, 'refused'],
    ] as const) {
      const id = await portrait()
      const { transport, requests } = server(created)
      const body = { code: 'upload.not_image', msg: 'Hanya gambar ya' }
      await sender({ ...transport, upload: async () => ({ status, retryAfter: null, body }) }).send()
      expect(await item(id)).toMatchObject({ state, uncertain: false, message: 'Hanya gambar ya' })
      expect(requests).toEqual([])
      await deleteItems(uploads)
    }
  })
})

describe('the user of an upload', () => {
  it('sends nothing of another user, and leaves it as it is', async () => {
    const id = await portrait('siti')
    const before = await item(id)
    token = tokenOf('budi')
    const { transport, requests } = server(created)
    await sender(transport).send({ eager: true })
    expect(requests).toEqual([])
    expect(await item(id)).toEqual(before)
    token = tokenOf('siti')
    await sender(transport).send()
    expect(await item(id)).toMatchObject({ state: 'sent' })
  })

  it('asks to sign in without sending when the token is known to have expired', async () => {
    const id = await portrait()
    token = tokenOf('siti', 'old', now - 1)
    const { transport, requests } = server(created)
    expect(await sender(transport).send()).toEqual({ waiting: 0, nextAt: null })
    expect(requests).toEqual([])
    expect(await item(id)).toMatchObject({ state: 'sign_in', attempts: 0 })
    token = tokenOf('siti', 'new')
    await sender(transport).send()
    expect(await item(id)).toMatchObject({ state: 'sent' })
  })

  it.each([null, '', 'rubbish', 'a.b.c', 'a.e30.c'])('asks to sign in when the token is %j', async (rubbish) => {
    const id = await portrait()
    token = rubbish
    const { transport, requests } = server(created)
    await sender(transport).send()
    expect(requests).toEqual([])
    expect(await item(id)).toMatchObject({ state: 'sign_in' })
  })
})

describe('several senders at once', () => {
  it('send an upload once', async () => {
    await portrait()
    const { transport, requests } = server(created)
    await Promise.all([sender(transport).send(), sender(transport).send(), sender(transport).send({ eager: true })])
    expect(requests).toHaveLength(1)
  })

  it('also send uploads added while the previous pass was ending', async () => {
    const first = await portrait()
    let second = ''
    const { transport } = server(created)
    const page = sender({
      ...transport,
      async post(...request) {
        const response = await transport.post(...request)
        if (!second) {
          second = await portrait()
          void page.send()
        }
        return response
      },
    })
    await page.send()
    await page.send()
    expect([(await item(first)).state, (await item(second)).state]).toEqual(['sent', 'sent'])
  })

  it('skip an upload that another active sender holds', async () => {
    const id = await portrait()
    let respond: ((response: ServerResponse) => void) | undefined
    const slow = sender(runner(() => new Promise((resolve) => (respond = resolve)))).send()
    await until(async () => respond !== undefined)
    const { transport, requests } = server(created)
    const other = sender(transport).send({ eager: true })
    respond?.({ ...created, retryAfter: null })
    await Promise.all([slow, other])
    expect(requests).toEqual([])
    expect(await item(id)).toMatchObject({ state: 'sent' })
  })

  it('resend uploads that a closed page left in the sending state, under the same key', async () => {
    const id = await portrait()
    await uploads.change(id, (current) => ({ ...current, state: 'sending', attempts: 1, uncertain: true }))
    const { transport, requests } = server({ status: 429 })
    await sender(transport).send()
    expect(requests[0]?.headers['Idempotency-Key']).toBe(id)
    expect(await item(id)).toMatchObject({ state: 'waiting', uncertain: true })
  })
})

describe('cancelling an upload', () => {
  it('deletes at once an upload that was never sent', async () => {
    const id = await portrait()
    await sender(server('no response').transport).send()
    await uploads.change(id, withCancellation)
    expect(await find(uploads, id)).toBeUndefined()
    expect(await uploads.files(id)).toBeUndefined()
    expect(posts).toEqual([])
  })

  it('stops the upload in flight and leaves nothing', async () => {
    const id = await portrait()
    let inFlight = false
    const { transport, requests } = server(created)
    const page = sender({
      ...transport,
      upload: (_, { signal }) =>
        new Promise((_, reject) => {
          inFlight = true
          signal.addEventListener('abort', () => reject(new NetworkError()))
        }),
    })
    const sending = page.send()
    await until(async () => inFlight)
    expect(await uploads.change(id, withCancellation)).toBeUndefined()
    page.abort(id)
    await sending
    expect(await uploads.list()).toEqual([])
    expect([posts, requests]).toEqual([[], []])
  })

  it('cancels on the server an upload that had already arrived', async () => {
    const id = await portrait()
    const page = sender(
      runner(async () => {
        await uploads.change(id, withCancellation)
        page.abort(id)
        return { ...created, retryAfter: null }
      }),
    )
    await page.send()
    expect(posts).toEqual(['/api/generations/generation-1/cancel'])
    expect(await uploads.list()).toEqual([])
    expect(posted).toContainEqual({ type: 'sent', id, userId: 'siti', generation: null })
  })

  it('delivers the result when it was finished before it could be cancelled', async () => {
    const id = await portrait()
    const page = sender(
      runner(
        async () => {
          await uploads.change(id, withCancellation)
          return { ...created, retryAfter: null }
        },
        async () => ({ status: 409, retryAfter: null, body: null }),
      ),
    )
    await page.send()
    expect(await item(id)).toMatchObject({ state: 'sent', generationId: 'generation-1' })
    expect(posted).toContainEqual({ type: 'sent', id, userId: 'siti', generation: created.body })
  })

  it('looks up an upload whose response was lost, and cancels it', async () => {
    const id = await portrait()
    await sender(server('lost response').transport).send()
    expect(await uploads.change(id, withCancellation)).toMatchObject({ state: 'cancelling' })
    const { transport, requests } = server('no response', { status: 503 }, created)
    await sender(transport).send()
    expect(await item(id)).toMatchObject({ state: 'cancelling' })
    await sender(transport).send({ eager: true })
    now += 3_600_000 - 10
    token = tokenOf('siti', 'later', now + 1000)
    const noNetwork: Transport['post'] = (url, ...rest) =>
      url.endsWith('/cancel') ? Promise.reject(new NetworkError()) : transport.post(url, ...rest)
    await sender({ ...transport, post: noNetwork }).send()
    expect(await item(id)).toMatchObject({ state: 'cancelling' })
    await sender(transport).send({ eager: true })
    expect(requests.map((request) => request.headers['Idempotency-Key'])).toEqual([id, id, id, id])
    expect(posts).toEqual(['/api/generations/generation-1/cancel'])
    expect(await uploads.list()).toEqual([])
  })

  it.each([402, 409, 422])('removes an upload that the server never had (%d)', async (status) => {
    const id = await portrait()
    await sender(server('lost response').transport).send()
    await uploads.change(id, withCancellation)
    await sender(server({ status }).transport).send()
    expect(await uploads.list()).toEqual([])
  })

  it('does not affect arrived uploads, and dismissing does not affect waiting ones', async () => {
    const id = await portrait()
    await uploads.change(id, dismissed)
    expect(await item(id)).toMatchObject({ state: 'waiting' })
    await sender(server(created).transport).send()
    await uploads.change(id, withCancellation)
    expect(await item(id)).toMatchObject({ state: 'sent' })
  })

  it('during an attempt ends in exactly one of two states: arrived, or removed and cancelled', async () => {
    const ends = { arrived: 0, cancelled: 0 }
    for (let step = 0; step < 40; step++) {
      const id = await portrait()
      posts = []
      const page = sender(server(created).transport)
      const sending = page.send()
      for (let tick = 0; tick < step; tick++) await new Promise((resolve) => setImmediate(resolve))
      const answered = posted.some((message) => message.type === 'sent' && message.id === id && message.generation)
      await uploads.change(id, withCancellation)
      page.abort(id)
      await sending
      await page.send()
      const left = await find(uploads, id)
      if (left) expect([left.state, posts.length]).toEqual(['sent', 0])
      else expect(answered).toBe(false)
      ends[left ? 'arrived' : 'cancelled'] += 1
      await deleteItems(uploads)
    }
    expect(Math.min(ends.arrived, ends.cancelled)).toBeGreaterThan(0)
  })
})

describe('the store', () => {
  it('keeps the uploads of other users when it deletes those of one user', async () => {
    await portrait('siti')
    const budi = await portrait('budi')
    await deleteItems(uploads, 'siti')
    expect((await uploads.list()).map((left) => left.id)).toEqual([budi])
  })

  it('never overwrites a change that another tab makes at the same time', async () => {
    const id = await portrait()
    await Promise.all(
      Array.from({ length: 20 }, () =>
        uploads.change(id, (current) => ({ ...current, attempts: current.attempts + 1 })),
      ),
    )
    expect((await item(id)).attempts).toBe(20)
  })
})

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve))
}

describe('files that the server already has', () => {
  const queue = (file: Partial<NewFile>) =>
    portrait('siti', 'potret.jpg', { background: [{ name: 'pantai.jpg', blob: jpeg('sea'), ...file }] })

  it('an own earlier output is referenced, and only the rest is sent', async () => {
    await queue({ output: 'output-7' })
    const { transport, requests, files } = server(created)
    await sender(transport).send()
    expect(files.map(({ name }) => name)).toEqual(['potret.jpg'])
    expect(requests[0]?.body.inputs).toEqual({ picture: [{ upload: 'upload-1' }], background: [{ file: 'output-7' }] })
  })

  it('an upload that a photo check began is resumed, or skipped when it is complete', async () => {
    await queue({ begun: { uploadUrl: '/api/uploads/early', arrived: true } })
    const whole = server(created)
    await sender(whole.transport).send()
    expect(whole.files).toHaveLength(1)
    expect(whole.requests[0]?.body.inputs.background).toEqual([{ upload: 'early' }])
    await queue({ begun: { uploadUrl: '/api/uploads/half', arrived: false } })
    const half = server(created)
    await sender(half.transport).send()
    expect(half.files.at(-1)).toMatchObject({ name: 'pantai.jpg', uploadUrl: '/api/uploads/half' })
  })

  it.each(['upload.not_found', 'file.not_found'])(
    'are sent after all when it no longer has them (%s)',
    async (code) => {
      await queue({ output: 'output-7' })
      const { transport, requests, files } = server({ status: 404, body: { code } }, created)
      await sender(transport).send()
      now += 60_000
      await sender(transport).send({ eager: true })
      expect(files.map(({ name }) => name)).toEqual(['potret.jpg', 'potret.jpg', 'pantai.jpg'])
      expect(requests[1]?.body.inputs).toEqual({
        picture: [{ upload: 'upload-2' }],
        background: [{ upload: 'upload-3' }],
      })
    },
  )
})

describe('a request for a designer', () => {
  const ask = () =>
    addUpload(
      uploads,
      {
        userId: 'siti',
        kind: 'custom_edit',
        tool: 'customize-edit',
        price: 0,
        preview: null,
        language: 'id',
        params: { title: 'Poster' },
        inputs: { attachments: [{ name: 'potret.jpg', blob: jpeg('jpeg bytes') }] },
      },
      now++,
    )

  it('is sent to its own address with its pictures, once, and no generation is announced', async () => {
    const { transport, requests } = server({ status: 201, body: { id: 'request-1' } })
    const urls: string[] = []
    const noted: Transport = {
      ...transport,
      post(url, ...rest) {
        urls.push(url)
        return transport.post(url, ...rest)
      },
    }
    const id = await ask()
    await sender(noted).send()
    expect(urls).toEqual(['/api/custom_edits'])
    expect(requests[0]?.body).toEqual({ title: 'Poster', attachments: [{ upload: 'upload-1' }] })
    expect(requests[0]?.headers['Idempotency-Key']).toBe(id)
    expect((await item(id)).state).toBe('sent')
    expect(posted).toContainEqual({ type: 'sent', id, userId: 'siti', generation: null })
  })

  it('waits without a connection, and is cancelled at its own address when that came after it had arrived', async () => {
    const { transport } = server('lost response', { status: 200, body: { id: 'request-1' } })
    const id = await ask()
    await sender(transport).send()
    expect((await item(id)).state).toBe('waiting')
    await uploads.change(id, withCancellation)
    now += 600_000
    await sender(transport).send()
    expect(posts).toEqual(['/api/custom_edits/request-1/cancel'])
    expect(await find(uploads, id)).toBeUndefined()
  })
})

describe('the pictures that a designer made', () => {
  const results = () =>
    addUpload(
      uploads,
      {
        userId: 'siti',
        kind: 'custom_edit_results',
        tool: 'customize-edit',
        price: 0,
        preview: null,
        language: 'id',
        params: { request: 'request-1' },
        inputs: { files: [{ name: 'hasil.png', blob: jpeg('made') }] },
      },
      now++,
    )

  it('are sent to their request, again after a lost response, until the server confirms them', async () => {
    const { transport, requests } = server('lost response', { status: 204 })
    const urls: string[] = []
    const post: Transport['post'] = (url, ...rest) => {
      urls.push(url)
      return transport.post(url, ...rest)
    }
    const id = await results()
    await sender({ ...transport, post }).send()
    expect(await item(id)).toMatchObject({ state: 'waiting', uncertain: true })
    now += 600_000
    await sender({ ...transport, post }).send()
    expect(await item(id)).toMatchObject({ state: 'sent', generationId: 'request-1' })
    expect(new Set(urls)).toEqual(new Set(['/api/admin/custom_edits/request-1/results']))
    expect(requests.map(({ body }) => body)).toEqual(Array(2).fill({ files: [{ upload: 'upload-1' }] }))
  })

  it('have arrived when they are cancelled too late', async () => {
    const { transport } = server('lost response', { status: 204 })
    const id = await results()
    await sender(transport).send()
    await uploads.change(id, withCancellation)
    now += 600_000
    await sender(transport).send()
    expect([(await item(id)).state, posts]).toEqual(['sent', []])
  })
})

import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'

/** For the service's next requests. */
export type HostedFault =
  | 'throttled'
  | 'lost answer'
  | 'refused'
  | 'refused at its end'
  | 'flagged'
  | 'out of memory'
  | 'failed'
  | 'no output'
  | 'no download'
  | 'two failed downloads'
  | 'JSON instead of a picture'
  | 'foreign host'
  | 'redirect to a foreign host'
  | 'no picture'
  | '100 MB'
  | 'held'

export interface FakeHosted {
  url: string
  /** For the next creates, in order. */
  faults: HostedFault[]
  created: { id: string; target: string; input: Record<string, unknown>; webhook: string | undefined }[]
  cancelled: string[]
  downloads: number
  /** While `down`, every response is 503, and `refused` counts them. */
  down: boolean
  refused: number
  release(): void
  /** Signed like the service's. */
  webhook(id: string, at: Date): { headers: Record<string, string>; body: string }
  close(): Promise<void>
}

export const webhookSecret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const keys = generateKeyPairSync('ed25519')

const nsfw = 'NSFW content detected. Try running it again, or try a different prompt.'
const failures: Partial<Record<HostedFault, string>> = {
  failed: 'the model broke',
  'out of memory': 'CUDA out of memory. Tried to allocate 2.00 GiB',
  'refused at its end': nsfw,
}

/** fal.ai's queue or Replicate's predictions, as documented. */
export async function startFakeHosted(kind: 'fal' | 'replicate', key: string): Promise<FakeHosted> {
  const faults = new Map<string, HostedFault | undefined>()
  const failedDownloads = new Map<string, number>()
  const authorization = kind === 'fal' ? `Key ${key}` : `Bearer ${key}`
  const hosted: FakeHosted = {
    url: '',
    faults: [],
    created: [],
    cancelled: [],
    downloads: 0,
    down: false,
    refused: 0,
    release() {
      for (const [id, fault] of faults) if (fault === 'held') faults.set(id, undefined)
    },
    webhook(id, at) {
      const seconds = String(Math.floor(at.getTime() / 1000))
      if (kind === 'replicate') {
        const body = JSON.stringify({ id, status: 'succeeded' })
        const secret = Buffer.from(webhookSecret.slice(6), 'base64')
        const signature = createHmac('sha256', secret).update(`msg_1.${seconds}.${body}`).digest('base64')
        return {
          headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` },
          body,
        }
      }
      const body = JSON.stringify({ request_id: id, status: 'OK', payload: {} })
      const digest = createHash('sha256').update(body).digest('hex')
      const signature = sign(null, Buffer.from(`${id}\nuser\n${seconds}\n${digest}`), keys.privateKey).toString('hex')
      const named = { 'request-id': id, 'user-id': 'user', timestamp: seconds, signature }
      return {
        headers: Object.fromEntries(Object.entries(named).map(([name, value]) => [`x-fal-webhook-${name}`, value])),
        body,
      }
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }

  const json = (response: ServerResponse, value: unknown, status = 200, headers = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
  }

  async function create(
    target: string,
    sent: Record<string, unknown>,
    webhook: string | undefined,
    response: ServerResponse,
  ) {
    const fault = hosted.faults.shift()
    if (fault === 'throttled') return json(response, { detail: 'throttled' }, 429, { 'retry-after': '7' })
    if (fault === 'refused')
      return json(response, { detail: [{ msg: 'flagged', type: 'content_policy_violation' }] }, 422)
    const id = `run-${crypto.randomUUID()}`
    faults.set(id, fault)
    hosted.created.push({ id, target, input: sent, webhook })
    if (fault === 'lost answer') return void response.destroy()
    json(response, kind === 'fal' ? { request_id: id } : { id, status: 'starting' }, 201)
  }

  function stateOf(id: string): 'running' | 'failed' | 'done' {
    const fault = faults.get(id)
    if (fault === 'held') return 'running'
    return fault && failures[fault] ? 'failed' : 'done'
  }

  /** As large as the given picture. */
  async function sizeOf(id: string | undefined): Promise<{ width: number; height: number }> {
    const input = hosted.created.find((job) => job.id === id)?.input ?? {}
    const given = Object.values(input).find((value) => String(value).startsWith('data:image/'))
    const { width, height } = given ? await sharp(Buffer.from(String(given).split(',')[1]!, 'base64')).metadata() : {}
    return { width: width ?? 40, height: height ?? 30 }
  }

  function address(id: string): string {
    return faults.get(id) === 'foreign host' ? 'http://127.0.0.1:9/x.png' : `${hosted.url}/files/${id}`
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://hosted')
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    if (hosted.down) {
      hosted.refused++
      return json(response, { detail: 'out of order' }, 503)
    }
    const sent = () => JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>
    const path = url.pathname
    if (path === '/keys') {
      return json(response, { keys: [keys.publicKey.export({ format: 'jwk' })] })
    }
    if (path.startsWith('/files/')) {
      const id = path.split('/').at(-1) ?? ''
      const fault = faults.get(id)
      hosted.downloads++
      if (request.headers.authorization) return json(response, {}, 400)
      if (fault === 'no download') return json(response, {}, 502)
      if (fault === 'two failed downloads') {
        const tries = (failedDownloads.get(id) ?? 0) + 1
        failedDownloads.set(id, tries)
        if (tries <= 2) return void response.destroy()
      }
      if (fault === 'redirect to a foreign host')
        return void response.writeHead(302, { location: 'http://127.0.0.1:9/x' }).end()
      const bytes =
        fault === '100 MB'
          ? Buffer.alloc(100_000_000)
          : fault === 'no picture'
            ? Buffer.from('<html>')
            : fault === 'JSON instead of a picture'
              ? Buffer.from('{"detail":"later"}')
              : await sharp({ create: { ...(await sizeOf(id)), channels: 3, background: '#208040' } })
                  .png()
                  .toBuffer()
      return void response.writeHead(200, { 'content-length': bytes.length }).end(bytes)
    }
    if (request.headers.authorization !== authorization) return json(response, { detail: 'no key' }, 401)
    const id = /(run-[\w-]+)/.exec(path)?.[1] ?? ''
    if (path.endsWith('/cancel')) {
      hosted.cancelled.push(id)
      return json(response, { status: 'CANCELLATION_REQUESTED' }, 202)
    }
    if (request.method === 'GET' && id && !faults.has(id)) return json(response, { detail: 'not found' }, 404)
    const fault = faults.get(id)
    if (kind === 'fal') {
      if (request.method === 'POST')
        return create(path.slice(1), sent(), url.searchParams.get('fal_webhook') ?? undefined, response)
      const state = stateOf(id)
      if (path.endsWith('/status')) {
        const said = fault === 'failed' ? { error: failures.failed, error_type: 'x' } : {}
        return json(response, { status: state === 'running' ? 'IN_PROGRESS' : 'COMPLETED', ...said })
      }
      // A model's own error is the response to the request for its result.
      if (fault === 'refused at its end') {
        const detail = {
          loc: ['body', 'prompt'],
          msg: 'flagged by a content checker',
          type: 'content_policy_violation',
        }
        return json(response, { detail: [detail] }, 422)
      }
      if (fault === 'no output') return json(response, { detail: 'bad gateway' }, 502)
      if (fault === 'out of memory') return json(response, { detail: failures[fault] }, 500)
      return json(response, { images: [{ url: address(id) }], has_nsfw_concepts: [fault === 'flagged'] })
    }
    if (request.method === 'POST') {
      const { input, webhook } = sent() as { input: Record<string, unknown>; webhook?: string }
      return create(path.replace('/v1/models/', '').replace('/predictions', ''), input, webhook, response)
    }
    if (path === '/v1/account') return json(response, { username: 'rupa' })
    const status = { running: 'processing', failed: 'failed', done: 'succeeded' }[stateOf(id)]
    json(response, {
      id,
      status,
      output: status !== 'succeeded' ? null : fault === 'flagged' ? { nsfw_content_detected: [true] } : [address(id)],
      error: (fault && failures[fault]) ?? null,
      metrics: { predict_time: 1 },
    })
  }

  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
  server.keepAliveTimeout = 60_000
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  hosted.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return hosted
}

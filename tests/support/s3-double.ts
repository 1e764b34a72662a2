import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** For the next requests that match "METHOD /path". */
export interface Fault {
  match: RegExp
  /** A status, a cut at once or within the response, or silence. */
  as: number | 'cut' | 'cut_body' | 'silence'
  times?: number
}

export interface S3Double {
  /** As in BACKUP_TO and STORAGE. */
  address: URL
  /** By key. */
  objects: Map<string, Buffer>
  requests: string[]
  fail(fault: Fault): void
  heal(): void
  close(): Promise<void>
}

const credentials = { key: 'key', secret: 'secret+/with signs', region: 'test-1' }
const bucket = 'pictures'

/**
 * A single bucket, as strict as real storages: requests need Signature Version 4, by header or
 * query, of this hour.
 */
export async function startS3Double({ bucketExists = true } = {}): Promise<S3Double> {
  const objects = new Map<string, Buffer>()
  const requests: string[] = []
  let faults: Fault[] = []
  let exists = bucketExists

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      return
    }
    const url = new URL(request.url ?? '/', 'http://double')
    requests.push(`${request.method} ${url.pathname}${url.search}`)
    const fault = faults.find(({ match, times = 1 }) => times > 0 && match.test(requests.at(-1) ?? ''))
    if (fault?.times !== undefined) fault.times -= 1
    if (fault?.as === 'silence') return
    if (fault?.as === 'cut') return request.socket.destroy()
    if (typeof fault?.as === 'number')
      return refuse(response, fault.as, fault.as === 503 ? 'SlowDown' : 'InternalError')
    const problem = signatureProblem(request, url)
    if (problem) return refuse(response, 403, problem)
    const [, name, ...path] = decodeURIComponent(url.pathname).split('/')
    const key = path.join('/')
    if (name !== bucket) return refuse(response, 404, 'NoSuchBucket')
    if (key === '' && request.method === 'PUT') {
      exists = true
      return void response.end()
    }
    if (!exists) return refuse(response, 404, 'NoSuchBucket')
    if (key === '' && request.method === 'GET') return list(response, url.searchParams)
    if (request.method === 'PUT') return put(request, response, key, Buffer.concat(chunks))
    if (request.method === 'DELETE') {
      objects.delete(key)
      response.statusCode = 204
      return void response.end()
    }
    const object = objects.get(key)
    if (!object) return refuse(response, 404, 'NoSuchKey')
    send(request, response, url, object, fault?.as === 'cut_body')
  })

  const put = (request: IncomingMessage, response: ServerResponse, key: string, body: Buffer) => {
    if (Number(request.headers['content-length']) !== body.length) return refuse(response, 411, 'MissingContentLength')
    if (request.headers['if-none-match'] === '*' && objects.has(key)) return refuse(response, 412, 'PreconditionFailed')
    const source = request.headers['x-amz-copy-source']
    const copied = typeof source === 'string' ? decodeURIComponent(source).replace(`/${bucket}/`, '') : undefined
    const content = copied === undefined ? body : objects.get(copied)
    if (!content) return refuse(response, 404, 'NoSuchKey')
    objects.set(key, content)
    response.setHeader('etag', etagOf(content))
    response.end(
      copied === undefined ? '' : xml(`<CopyObjectResult><ETag>${etagOf(content)}</ETag></CopyObjectResult>`),
    )
  }

  const list = (response: ServerResponse, query: URLSearchParams) => {
    if (query.get('list-type') !== '2') return refuse(response, 501, 'NotImplemented')
    const after = query.get('continuation-token') ?? ''
    const most = Number(query.get('max-keys') ?? 1000)
    const found = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after).sort()
    const page = found.slice(0, most)
    const contents = page.map((key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)?.length}</Size></Contents>`)
    const more = found.length > page.length
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    response.end(
      xml(`<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`),
    )
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { key, secret, region } = credentials
  return {
    address: new URL(`http://${key}:${encodeURIComponent(secret)}@127.0.0.1:${port}/${bucket}?region=${region}`),
    objects,
    requests,
    fail: (fault) => void faults.push(fault),
    heal() {
      faults = []
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function send(request: IncomingMessage, response: ServerResponse, url: URL, object: Buffer, cut: boolean): void {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  const start = Number(from ?? 0)
  const end = Math.min(to ? Number(to) : object.length - 1, object.length - 1)
  const body = object.subarray(start, end + 1)
  response.statusCode = from === undefined ? 200 : 206
  if (from !== undefined) response.setHeader('content-range', `bytes ${start}-${end}/${object.length}`)
  response.setHeader('content-length', body.length)
  response.setHeader('etag', etagOf(object))
  response.setHeader('access-control-allow-origin', '*')
  for (const [name, value] of url.searchParams) {
    if (name.startsWith('response-')) response.setHeader(name.slice('response-'.length), value)
  }
  if (cut) {
    response.write(body.subarray(0, Math.floor(body.length / 2)))
    setTimeout(() => response.destroy(), 20)
  } else response.end(request.method === 'HEAD' ? undefined : body)
}

const xml = (content: string) => `<?xml version="1.0" encoding="UTF-8"?>${content}`
const etagOf = (content: Buffer) => `"${createHash('md5').update(content).digest('hex')}"`

function refuse(response: ServerResponse, status: number, code: string): void {
  response.statusCode = status
  response.setHeader('content-type', 'application/xml')
  response.end(xml(`<Error><Code>${code}</Code><Message>refused by the double</Message></Error>`))
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Undefined when the signature is valid. */
function signatureProblem(request: IncomingMessage, url: URL): string | undefined {
  const inQuery = url.searchParams.get('X-Amz-Signature')
  const header = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
    request.headers.authorization ?? '',
  )
  const [scope = '', signed = '', given = ''] = inQuery
    ? ['X-Amz-Credential', 'X-Amz-SignedHeaders', 'X-Amz-Signature'].map((name) => url.searchParams.get(name) ?? '')
    : (header?.slice(1) ?? [])
  if (!given) return 'AccessDenied'
  const moment = inQuery ? (url.searchParams.get('X-Amz-Date') ?? '') : String(request.headers['x-amz-date'])
  const at = Date.parse(moment.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  const lasts = inQuery ? Number(url.searchParams.get('X-Amz-Expires')) : 15 * 60
  if (!(Math.abs(Date.now() - at) / 1000 <= lasts)) return inQuery ? 'AccessDenied' : 'RequestTimeTooSkewed'
  const [id, day = '', region = '', service = '', end = ''] = scope.split('/')
  if (id !== credentials.key || region !== credentials.region || service !== 's3') return 'InvalidAccessKeyId'
  const names = signed.split(';')
  const own = Object.keys(request.headers).filter((name) => name.startsWith('x-amz-') || name === 'host')
  if (own.some((name) => !names.includes(name))) return 'AccessDenied'
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
  const headers = names.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`).join('')
  const payload = inQuery ? 'UNSIGNED-PAYLOAD' : String(request.headers['x-amz-content-sha256'])
  const canonical = [request.method, url.pathname, query.join('&'), headers, signed, payload].join('\n')
  const hash = createHash('sha256').update(canonical).digest('hex')
  const text = ['AWS4-HMAC-SHA256', moment, [day, region, service, end].join('/'), hash].join('\n')
  const key = [region, service, end].reduce(hmac, hmac(`AWS4${credentials.secret}`, day))
  const wanted = hmac(key, text)
  return timingSafeEqual(wanted, Buffer.from(given, 'hex')) ? undefined : 'SignatureDoesNotMatch'
}

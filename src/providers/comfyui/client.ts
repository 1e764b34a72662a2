import { readLimited } from '../read-limited.ts'

/** A ComfyUI server of the operator; headers are for the proxy in front of it. */
export interface ComfyServer {
  /** Without a trailing slash. */
  url: string
  headers: Readonly<Record<string, string>>
}

/** Parses COMFYUI_SERVERS: addresses separated by commas, or JSON with headers. */
export function readServers(text: string): ComfyServer[] {
  const given = text.trim().startsWith('[') ? (JSON.parse(text) as unknown[]) : text.split(',')
  const servers = given.map((entry) => {
    const { url: address, headers = {} } = (typeof entry === 'string' ? { url: entry } : entry) as Partial<ComfyServer>
    const url = new URL(String(address).trim())
    if (!/^https?:$/.test(url.protocol) || Object.values(headers).some((value) => typeof value !== 'string'))
      throw new Error('not an address with headers')
    const { username, password } = url
    const basic = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    const known = username ? { authorization: `Basic ${Buffer.from(basic).toString('base64')}`, ...headers } : headers
    return { url: `${url.origin}${url.pathname.replace(/\/+$/, '')}`, headers: known }
  })
  if (new Set(servers.map(({ url }) => url)).size < servers.length) throw new Error('a server is listed twice')
  return servers
}

/** In the format of ComfyUI's API; links are `[node, output]`. */
interface GraphNode {
  class_type: string
  inputs: Record<string, unknown>
  _meta?: { title?: string }
}
export type Graph = Readonly<Record<string, GraphNode>>

export interface ComfyFile {
  filename: string
  subfolder?: string
  type?: string
}

export interface ComfyHistory {
  outputs: Record<string, { images?: ComfyFile[] } | undefined>
  status?: { status_str?: string; completed?: boolean; messages?: [event: string, data: Record<string, unknown>][] }
}

/** The server refused the request; retrying is useless. */
export class ComfyRefusal extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ComfyRefusal'
  }
}

const seconds = 1000
const timeoutMs = 15 * seconds
/** Bytes of a JSON response; the inputs of a node with many model files are the largest. */
const maxJsonBytes = 8_000_000

/** Calls reject if the server is unreachable, and never follow redirects. */
export function createClient({ url, headers }: ComfyServer) {
  const call = async (path: string, init: RequestInit = {}, signal?: AbortSignal): Promise<Response> => {
    const carriesFile = init.body instanceof FormData || path.startsWith('/view')
    const limit = AbortSignal.timeout(carriesFile ? 8 * timeoutMs : timeoutMs)
    const response = await fetch(`${url}${path}`, {
      ...init,
      headers: { ...headers, ...(init.headers as Record<string, string>) },
      redirect: 'manual',
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
    })
    if (response.ok) return response
    if (response.status < 400) throw new ComfyRefusal('it leads elsewhere')
    const body = Buffer.from(await readLimited(response, maxJsonBytes)).toString()
    if (response.status < 500 && ![401, 403, 408, 429].includes(response.status))
      throw new ComfyRefusal(refusalOf(body))
    throw new Error(`status ${response.status}`)
  }
  const json = async <Value>(path: string, init?: RequestInit, signal?: AbortSignal): Promise<Value> => {
    const response = await call(path, init, signal)
    return JSON.parse(Buffer.from(await readLimited(response, maxJsonBytes)).toString()) as Value
  }
  const post = (path: string, body: object, signal?: AbortSignal) =>
    call(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }, signal)

  return {
    systemStats: () =>
      json<{ system?: { comfyui_version?: string }; devices?: { name?: string; vram_total?: number }[] }>(
        '/system_stats',
      ),
    /** Undefined if the server lacks the node. */
    async nodeInputs(node: string): Promise<Record<string, unknown> | undefined> {
      const all = await json<Record<string, { input?: Record<string, Record<string, unknown> | undefined> }>>(
        `/object_info/${encodeURIComponent(node)}`,
      )
      const found = all[node]
      return found && { ...found.input?.required, ...found.input?.optional }
    },
    models: (folder: string) => json<string[]>(`/models/${encodeURIComponent(folder)}`),
    /** Uploads a picture, deleted at the server's next start; returns its name for `LoadImage`. */
    async upload(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<string> {
      const form = new FormData()
      form.set('image', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), name)
      form.set('type', 'temp')
      form.set('overwrite', 'true')
      const stored = await json<{ name: string; subfolder?: string; type?: string }>(
        '/upload/image',
        { method: 'POST', body: form },
        signal,
      )
      const path = stored.subfolder ? `${stored.subfolder}/${stored.name}` : stored.name
      return stored.type === 'input' ? path : `${path} [${stored.type ?? 'temp'}]`
    },
    /** Queues a graph under our id; returns the server's id. */
    async queuePrompt(prompt: Graph, id: string, signal: AbortSignal): Promise<string> {
      // The server sends events to listeners under this id in any process.
      const response = await post('/prompt', { prompt, prompt_id: id, client_id: id }, signal)
      const answer = (await response.json()) as { prompt_id?: string; node_errors?: object }
      if (!answer.prompt_id) throw new ComfyRefusal('the response has no prompt id')
      return answer.prompt_id
    },
    async queue(): Promise<{ running: string[]; pending: string[] }> {
      const { queue_running: running = [], queue_pending: pending = [] } =
        await json<Record<string, [number, string][]>>('/queue')
      return { running: running.map(([, id]) => id), pending: pending.map(([, id]) => id) }
    },
    async history(id: string): Promise<ComfyHistory | undefined> {
      return (await json<Record<string, ComfyHistory>>(`/history/${encodeURIComponent(id)}`))[id]
    },
    async view({ filename, subfolder = '', type = 'output' }: ComfyFile, limit: number): Promise<Uint8Array> {
      const query = new URLSearchParams({ filename, subfolder, type })
      return readLimited(await call(`/view?${query}`), limit)
    },
    takeFromQueue: (id: string) => post('/queue', { delete: [id] }),
    interrupt: (id: string) => post('/interrupt', { prompt_id: id }),
    forget: (id: string) => post('/history', { delete: [id] }),
    free: () => post('/free', { unload_models: true, free_memory: true }),
    /** Events may end at any time without notice. */
    listen(id: string, onEvent: (event: { type: string; data: Record<string, unknown> }) => void): { close(): void } {
      const address = `${url.replace(/^http/, 'ws')}/ws?clientId=${encodeURIComponent(id)}`
      const socket = new WebSocket(address, { headers } as never)
      socket.addEventListener('message', ({ data }) => {
        if (typeof data !== 'string') return
        try {
          onEvent(JSON.parse(data))
        } catch {
          // The history tells how the prompt ends.
        }
      })
      socket.addEventListener('error', () => {})
      return { close: () => socket.close() }
    },
  }
}
export type ComfyClient = ReturnType<typeof createClient>

function refusalOf(body: string): string {
  try {
    const { error, node_errors: nodes = {} } = JSON.parse(body) as {
      error?: { message?: string; details?: string } | string
      node_errors?: Record<string, { class_type?: string; errors?: { message?: string; details?: string }[] }>
    }
    const first = typeof error === 'string' ? error : [error?.message, error?.details].filter(Boolean).join(': ')
    const others = Object.values(nodes).flatMap(({ class_type, errors = [] }) =>
      errors.map(({ message, details }) => `${class_type}: ${message} ${details ?? ''}`.trim()),
    )
    return [first, ...others].join('; ').slice(0, 300) || 'refused'
  } catch {
    return 'refused'
  }
}

import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import sharp from 'sharp'

interface Node {
  class_type: string
  inputs: Record<string, unknown>
}
type Prompt = Record<string, Node>

/** Failures that users of ComfyUI have reported. */
export type ComfyFault =
  | 'out of memory'
  | 'cached'
  | 'error'
  | 'html instead of a picture'
  | 'text instead of a picture'
  | 'wrong shape'
  | '100 MB'
  | 'redirect'
  | 'no download'
  | 'two failed downloads'
  | 'held'

export interface FakeComfy {
  url: string
  /** For the next prompts, in order; later ones succeed. */
  faults: (ComfyFault | undefined)[]
  prompts: { id: string; graph: Prompt }[]
  uploads: string[]
  calls: string[]
  silent: boolean
  lacks: Set<string>
  /** Of the results. */
  colour: string
  edit: ((given: Uint8Array) => Promise<Uint8Array>) | undefined
  release(): Promise<void>
  progress(value: number, max: number): void
  /** Like a killed process: loses queue and history. */
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const fileInputs: Record<string, string> = {
  ckpt_name: 'checkpoints',
  unet_name: 'diffusion_models',
  clip_name: 'text_encoders',
  vae_name: 'vae',
  lora_name: 'loras',
  model_name: 'upscale_models',
  bg_removal_name: 'background_removal',
}

/** Routes as of ComfyUI 0.3.64, and faults as its users report them. */
export async function startFakeComfy(headers: Record<string, string> = {}): Promise<FakeComfy> {
  const files = new Map<string, Uint8Array>()
  /** Remaining failures by file name. */
  const failingDownloads = new Map<string, number>()
  let history: Record<string, object> = {}
  let pending: string[] = []
  let running: string[] = []
  let sockets = new Map<string, Duplex>()
  const upgraded = new Set<Duplex>()
  let dead = false
  const comfy: FakeComfy = {
    url: '',
    faults: [],
    prompts: [],
    uploads: [],
    calls: [],
    silent: false,
    lacks: new Set(),
    colour: '#208040',
    edit: undefined,
    async release() {
      for (const id of [...running]) await end(id, undefined)
      await next()
    },
    progress(value, max) {
      for (const id of running) send(id, 'progress', { value, max, prompt_id: id, node: 'sampler' })
    },
    async kill() {
      history = {}
      pending = []
      running = []
      for (const socket of upgraded) socket.destroy()
      sockets = new Map()
      dead = true
      server.closeAllConnections()
    },
    async start() {
      dead = false
    },
    async close() {
      await comfy.kill()
      await new Promise((done) => server.close(done))
    },
  }

  const send = (id: string, type: string, data: object) => {
    const socket = sockets.get(id)
    if (!socket || comfy.silent) return
    const payload = Buffer.from(JSON.stringify({ type, data }))
    const head = payload.length < 126 ? [0x81, payload.length] : [0x81, 126, payload.length >> 8, payload.length & 255]
    socket.write(Buffer.concat([Buffer.from(head), payload]))
  }

  async function next(): Promise<void> {
    const id = running.length === 0 ? pending.shift() : undefined
    if (!id) return
    running = [id]
    send(id, 'execution_start', { prompt_id: id })
    const fault = comfy.faults.shift()
    if (fault === 'held') return
    await new Promise((done) => setTimeout(done, 5))
    if (!running.includes(id)) return
    await end(id, fault)
    await next()
  }

  async function end(id: string, fault: ComfyFault | undefined): Promise<void> {
    const graph = comfy.prompts.find((prompt) => prompt.id === id)?.graph ?? {}
    const [result = ''] =
      Object.entries(graph).find(([, node]) => /Image$/.test(node.class_type) && 'images' in node.inputs) ?? []
    const fails = fault === 'error' || fault === 'out of memory'
    const type = fault === 'out of memory' ? 'torch.cuda.OutOfMemoryError' : 'ValueError'
    const data = { prompt_id: id, node_id: '3', node_type: 'KSampler', exception_type: type, exception_message: 'bad' }
    const file = { filename: `${id}.png`, subfolder: '', type: 'temp' }
    const outputs = fails || fault === 'cached' ? {} : { [result]: { images: [file] } }
    files.set(`temp/${id}.png`, await resultOf(graph, fault))
    if (fault === 'no download') failingDownloads.set(file.filename, Number.POSITIVE_INFINITY)
    if (fault === 'two failed downloads') failingDownloads.set(file.filename, 2)
    if (fault === 'redirect') files.delete(`temp/${id}.png`)
    // At once, like the real queue.
    running = running.filter((other) => other !== id)
    history[id] = {
      prompt: [1, id, graph, {}, []],
      outputs,
      status: {
        status_str: fails ? 'error' : 'success',
        completed: !fails,
        messages: [
          ['execution_start', { prompt_id: id }],
          fails ? ['execution_error', data] : ['execution_success', {}],
        ],
      },
    }
    send(id, fails ? 'execution_error' : 'execution_success', data)
    if (!fails) send(id, 'executing', { node: null, prompt_id: id })
  }

  async function resultOf(graph: Prompt, fault: ComfyFault | undefined): Promise<Uint8Array> {
    if (fault === 'html instead of a picture') return Buffer.from('<html><script>alert(1)</script></html>')
    if (fault === 'text instead of a picture') return Buffer.from('GIF89a????')
    if (fault === '100 MB') return Buffer.alloc(100_000_000)
    const name = Object.values(graph).find(({ class_type }) => class_type === 'LoadImage')?.inputs.image as string
    const given = files.get(`temp/${name?.replace(' [temp]', '')}`)
    if (comfy.edit && given && !fault) return comfy.edit(given)
    const { width = 64, height = 64 } = given ? await sharp(given).metadata() : {}
    const size = fault === 'wrong shape' ? { width, height: height * 3 } : { width, height }
    return sharp({ create: { ...size, channels: 3, background: comfy.colour } })
      .withExifMerge({ IFD0: { ImageDescription: 'the prompt' } })
      .png()
      .toBuffer()
  }

  const json = (response: ServerResponse, value: unknown, status = 200) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://comfy')
    const [, first = '', second = ''] = url.pathname.split('/')
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const sent = () => JSON.parse(body.toString()) as Record<string, never>
    if (Object.entries(headers).some(([name, value]) => request.headers[name] !== value)) return json(response, {}, 401)
    comfy.calls.push(`${request.method} ${url.pathname}`)
    if (first === 'system_stats')
      return json(response, { system: { comfyui_version: '0.3.64' }, devices: [{ name: 'cuda:0', vram_total: 24e9 }] })
    if (first === 'object_info') {
      if (comfy.lacks.has(second)) return json(response, {})
      const required = Object.fromEntries(Object.entries(fileInputs).map(([name]) => [name, ['STRING', {}]]))
      return json(response, { [second]: { input: { required } } })
    }
    if (first === 'models') {
      // Files of the shipped workflows.
      const all = [
        'checkpoints/sd_xl_inpainting_0.1.safetensors',
        'checkpoints/sd_xl_base_1.0.safetensors',
        'diffusion_models/qwen_image_edit_2511_bf16.safetensors',
        'text_encoders/qwen_2.5_vl_7b_fp8_scaled.safetensors',
        'vae/qwen_image_vae.safetensors',
        'loras/Qwen-Image-Edit-2511-Lightning-4steps-V1.0-bf16.safetensors',
        'upscale_models/RealESRGAN_x4plus.pth',
        'background_removal/birefnet.safetensors',
      ]
      const its = all.filter((name) => name.startsWith(`${second}/`) && !comfy.lacks.has(name))
      return json(
        response,
        its.map((name) => name.slice(second.length + 1)),
      )
    }
    if (first === 'upload') {
      const form = await new Response(new Uint8Array(body), {
        headers: { 'content-type': String(request.headers['content-type']) },
      }).formData()
      const image = form.get('image') as File
      const type = String(form.get('type') ?? 'input')
      files.set(`${type}/${image.name}`, new Uint8Array(await image.arrayBuffer()))
      comfy.uploads.push(`${type}/${image.name}`)
      return json(response, { name: image.name, subfolder: '', type })
    }
    if (first === 'prompt') {
      const { prompt, prompt_id: id } = sent() as unknown as { prompt: Prompt; prompt_id: string }
      if (!uuid.test(id)) return json(response, { error: { type: 'invalid_prompt_id', message: 'no UUID' } }, 400)
      const absent = Object.values(prompt).find(({ class_type }) => comfy.lacks.has(class_type))
      if (absent)
        return json(response, { error: { type: 'missing_node_type', message: `no ${absent.class_type}` } }, 400)
      comfy.prompts.push({ id, graph: prompt })
      pending.push(id)
      json(response, { prompt_id: id, number: comfy.prompts.length, node_errors: {} })
      return void next()
    }
    if (first === 'queue' && request.method === 'GET')
      return json(response, {
        queue_running: running.map((id) => [0, id]),
        queue_pending: pending.map((id) => [0, id]),
      })
    if (first === 'queue') {
      const { delete: gone = [] } = sent() as { delete?: string[] }
      pending = pending.filter((id) => !gone.includes(id))
      return json(response, {})
    }
    if (first === 'interrupt') {
      const id = (sent() as { prompt_id?: string }).prompt_id
      if (!id || running.includes(id)) running = []
      json(response, {})
      return void next()
    }
    if (first === 'history' && request.method === 'GET')
      return json(response, history[second] ? { [second]: history[second] } : {})
    if (first === 'history') {
      for (const id of (sent() as { delete?: string[] }).delete ?? []) delete history[id]
      return json(response, {})
    }
    if (first === 'view') {
      const name = url.searchParams.get('filename') ?? ''
      const failing = failingDownloads.get(name) ?? 0
      if (failing > 0) {
        failingDownloads.set(name, failing - 1)
        return void response.writeHead(500).end()
      }
      const bytes = files.get(`${url.searchParams.get('type')}/${name}`)
      if (bytes) {
        const head = { 'content-type': 'image/png', 'content-length': bytes.length }
        return void response.writeHead(200, head).end(bytes)
      }
      return void response.writeHead(302, { location: 'http://127.0.0.1:1/secret' }).end()
    }
    if (first === 'free') return json(response, {})
    response.writeHead(404).end()
  }

  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
  server.keepAliveTimeout = 60_000
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => {})
    upgraded.add(socket)
    socket.on('close', () => upgraded.delete(socket))
    if (Object.entries(headers).some(([name, value]) => request.headers[name] !== value)) return void socket.destroy()
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
    socket.write(`${lines.join('\r\n')}\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`)
    sockets.set(new URL(request.url ?? '/', 'http://comfy').searchParams.get('clientId') ?? '', socket)
  })
  server.on('connection', (socket) => dead && socket.destroy())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  comfy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return comfy
}

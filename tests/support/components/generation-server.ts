import type { GenerationCreated, GenerationView } from '#features/generations/schemas.ts'
import type { ToolId } from '#tools/contracts.ts'
import { balanceOf, generationOf, inDays } from './samples.ts'
import type { ApiCall, Routes } from './stub-api.ts'

interface RunRequest {
  tool: ToolId
  params: Record<string, unknown>
  inputs: Record<string, { upload?: string; file?: string }[]>
}

/** Uploads and generations of one user, answered as by the server, at 5 credits each. */
export class GenerationServer {
  credits = 25
  /** Newest first. */
  generations: GenerationView[] = []
  /** Uploaded files by their ids. */
  readonly files = new Map<string, Blob>()
  /** Ends new generations at once. */
  instant = true
  /** Applied to each generation when it ends. */
  outcome: Partial<GenerationView> = {}
  #idempotent = new Map<string, GenerationCreated>()

  readonly routes: Routes = {
    'POST /api/uploads': (call: ApiCall) => this.#upload(call),
    'PATCH /api/uploads/*': (call: ApiCall) => this.#upload(call),
    'POST /api/generations': (call: ApiCall) => this.#create(call),
    'POST /api/generations/*/render': (call: ApiCall) => this.#render(call),
    'GET /api/generations': ({ query }: ApiCall) => {
      const [status, tool] = [query.get('status'), query.get('tool')]
      const items = this.generations.filter((one) => (!status || one.status === status) && (!tool || one.tool === tool))
      return { items, nextCursor: null }
    },
    'GET /api/generations/*': ({ path }: ApiCall) => this.find(path.split('/')[3] as string),
    'GET /api/user/myCredit': () => balanceOf(this.credits),
  }

  find(id: string): GenerationView {
    const found = this.generations.find((one) => one.id === id)
    if (!found) throw new Error(`there is no generation ${id}`)
    return found
  }

  /** Changes a generation; returns the view to be sent as an event. */
  change(id: string, change: Partial<GenerationView>): GenerationView {
    const known = this.find(id)
    const after = { ...known, change: known.change + 1, ...change }
    this.generations = this.generations.map((one) => (one.id === id ? after : one))
    return after
  }

  /** Ends a generation with its result, or as `outcome` says. */
  finish(id: string): GenerationView {
    const { inputs, tool } = this.find(id)
    const [{ width, height } = { width: 64, height: 64 }] = inputs
    const { outputs, thumbnailUrl } = generationOf(id, { tool, size: [width, height] })
    const ended = { status: 'succeeded', progress: 1, finishedAt: inDays(0), outputs, thumbnailUrl } as const
    const after = this.change(id, { ...ended, ...this.outcome })
    if (after.status === 'failed') this.credits += after.credits
    return after
  }

  /** A small file comes with the request that begins its upload, a larger one in parts. */
  #upload({ method, path, body, headers }: ApiCall): Response {
    const begun = method === 'PATCH' ? (path.split('/').at(-1) as string) : `up-${this.files.size}`
    const file = new Blob([this.files.get(begun) ?? '', (body as Blob | undefined) ?? ''], { type: 'image/png' })
    this.files.set(begun, file)
    const received = { 'upload-offset': String(file.size) }
    if (method === 'PATCH') return new Response(null, { status: 204, headers: received })
    const isWhole = headers.get('upload-length') === String(file.size)
    const location = `/api/uploads/${begun}`
    return new Response(null, { status: 201, headers: isWhole ? { location, ...received } : { location } })
  }

  async #create({ body, headers }: ApiCall): Promise<Response> {
    const key = headers.get('idempotency-key') ?? ''
    const before = this.#idempotent.get(key)
    if (before) return Response.json(before)
    const { tool, params, inputs } = body as RunRequest
    const id = `g-${this.#idempotent.size + 1}`
    const given = Object.entries(inputs).flatMap(([input, files]) => files.map((file) => ({ input, ...file })))
    const views = await Promise.all(
      given.map(async ({ input, upload }) => {
        const file = this.files.get(upload ?? '') as Blob
        const { width, height } = await createImageBitmap(file)
        const url = URL.createObjectURL(file)
        return {
          id: `${id}-${input}`,
          input,
          url,
          name: 'foto.png',
          contentType: 'image/png',
          width,
          height,
          bytes: file.size,
        }
      }),
    )
    const credits = 5
    this.credits -= credits
    const made = generationOf(id, { tool, params, status: 'queued', inputs: views, credits, createdAt: inDays(0) })
    this.generations.unshift(made)
    this.#idempotent.set(key, { ...made, balance: this.credits })
    if (this.instant) this.finish(id)
    return Response.json({ ...this.find(id), balance: this.credits }, { status: 201 })
  }

  #render({ path, body }: ApiCall): GenerationView {
    const id = path.split('/')[3] as string
    const { rendering } = this.find(id)
    const position = rendering.position + 1
    const params = JSON.parse((body as FormData).get('params') as string) as Record<string, unknown>
    return this.change(id, { params, rendering: { position, oldest: 0, newest: position } })
  }
}

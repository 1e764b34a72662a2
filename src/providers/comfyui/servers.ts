import { type ComfyClient, type ComfyServer, createClient } from './client.ts'
import { missingPartsOf, type ServerCache, type Workflow } from './workflows.ts'

interface ServerTimes {
  statusTtlMs: number
  lostAfterMs: number
}

export interface ServerState {
  url: string
  client: ComfyClient
  ok: boolean
  /** Version and graphics card, or the problem. */
  detail: string
  /** Prompts in its queue, including those of other clients. */
  queued: number
  /** Missing parts for each workflow; absent until its first answer. */
  missingParts: ReadonlyMap<string, readonly string[]>
  /** Workflow whose model is loaded. */
  loadedWorkflow: string | undefined
  /** Undefined while the server answers. */
  silentSince: number | undefined
  /** Prompts given up during its silence. */
  abandoned: Set<string>
}

interface Asked extends ServerState {
  asked: number
  missingPartsAsked: number
  asking: Promise<void> | undefined
}

/** Missing parts are checked this many times less often than the state. */
const missingPartsTtlFactor = 6

export function createServers(
  servers: readonly ComfyServer[],
  workflows: readonly Workflow[],
  { statusTtlMs, lostAfterMs }: ServerTimes,
) {
  const never = Number.NEGATIVE_INFINITY
  const states = servers.map(
    (server): Asked => ({
      url: server.url,
      client: createClient(server),
      ok: false,
      detail: 'not asked yet',
      queued: 0,
      missingParts: new Map(),
      loadedWorkflow: undefined,
      silentSince: undefined,
      abandoned: new Set(),
      asked: never,
      missingPartsAsked: never,
      asking: undefined,
    }),
  )

  async function ask(state: Asked): Promise<void> {
    const { client } = state
    try {
      const [stats, queue] = await Promise.all([client.systemStats(), client.queue()])
      const [device] = stats.devices ?? []
      const memory = device?.vram_total ? `, ${Math.round(device.vram_total / 1e9)} GB` : ''
      if (!state.ok || performance.now() - state.missingPartsAsked > missingPartsTtlFactor * statusTtlMs) {
        const known: ServerCache = { nodes: new Map(), folders: new Map() }
        const lacks = workflows.map(
          async (workflow) => [workflow.id, await missingPartsOf(client, workflow, known)] as const,
        )
        state.missingParts = new Map(await Promise.all(lacks))
        state.missingPartsAsked = performance.now()
      }
      state.queued = queue.running.length + queue.pending.length
      state.detail = `ComfyUI ${stats.system?.comfyui_version ?? '?'}${device?.name ? ` on ${device.name}${memory}` : ''}`
      recordAnswer(state)
      for (const id of state.abandoned) await cancelPrompt(client, id).then(() => state.abandoned.delete(id))
    } catch (error) {
      recordSilence(state, error)
    }
    state.asked = performance.now()
  }

  return {
    workflows,
    async current(): Promise<readonly ServerState[]> {
      const old = states.filter(({ asked }) => performance.now() - asked > statusTtlMs)
      const asking = old.map((state) => {
        state.asking ??= ask(state).finally(() => {
          state.asking = undefined
        })
        return state.ok || state.asked === never ? state.asking : undefined
      })
      await Promise.all(asking)
      return states
    },
    of: (url: string | null): ServerState | undefined => states.find((state) => state.url === url),
    /** After so long a silence the server's prompts are lost. */
    isGone: ({ silentSince }: ServerState) =>
      silentSince !== undefined && performance.now() - silentSince > lostAfterMs,
  }
}
export type Servers = ReturnType<typeof createServers>

export function recordAnswer(state: ServerState): void {
  state.ok = true
  state.silentSince = undefined
}

export function recordSilence(state: ServerState, error: unknown): void {
  state.ok = false
  state.silentSince ??= performance.now()
  const { message, cause } = error as { message?: string; cause?: { code?: string } }
  state.detail = `${cause?.code ?? message ?? 'no answer'}`.slice(0, 200)
}

/** Ends a waiting or running prompt without touching those of other clients. */
export async function cancelPrompt(client: ComfyClient, id: string): Promise<void> {
  await client.takeFromQueue(id)
  // Older servers interrupt any running prompt, so it must be ours.
  if ((await client.queue()).running.includes(id)) await client.interrupt(id)
}

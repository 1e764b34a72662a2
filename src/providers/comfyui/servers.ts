import { type ComfyClient, type ComfyServer, createClient } from './client.ts'
import { type Known, lacksOf, type Workflow } from './workflows.ts'

export interface ServerTimes {
  /** Milliseconds for which what is known of a server counts. */
  fresh: number
  /** Milliseconds without an answer after which a server's jobs go to another. */
  gone: number
}

/** A server, with what is known of it in this process. */
export interface ServerState {
  url: string
  client: ComfyClient
  ok: boolean
  /** Version and card, or what is wrong. */
  detail: string
  /** Prompts in its queue, others' too. */
  queued: number
  /** What it lacks for each workflow; absent until it has answered once. */
  lacks: ReadonlyMap<string, readonly string[]>
  /** The workflow whose model it has loaded. */
  loaded: string | undefined
  /** Since when it does not answer; undefined while it does. */
  silentSince: number | undefined
  /** Prompts that were given up while it did not answer. */
  abandoned: Set<string>
}

interface Asked extends ServerState {
  asked: number
  lacksAsked: number
  asking: Promise<void> | undefined
}

/** What a server lacks is asked so many times less often than how it is. */
const lacksFresh = 6

/** The operator's servers, asked when somebody wants to know and it is long ago. */
export function createServers(
  servers: readonly ComfyServer[],
  workflows: readonly Workflow[],
  { fresh, gone }: ServerTimes,
) {
  const never = Number.NEGATIVE_INFINITY
  const states = servers.map(
    (server): Asked => ({
      url: server.url,
      client: createClient(server),
      ok: false,
      detail: 'not asked yet',
      queued: 0,
      lacks: new Map(),
      loaded: undefined,
      silentSince: undefined,
      abandoned: new Set(),
      asked: never,
      lacksAsked: never,
      asking: undefined,
    }),
  )

  async function ask(state: Asked): Promise<void> {
    const { client } = state
    try {
      const [stats, queue] = await Promise.all([client.systemStats(), client.queue()])
      const [device] = stats.devices ?? []
      const memory = device?.vram_total ? `, ${Math.round(device.vram_total / 1e9)} GB` : ''
      if (!state.ok || performance.now() - state.lacksAsked > lacksFresh * fresh) {
        const known: Known = { nodes: new Map(), folders: new Map() }
        const lacks = workflows.map(async (workflow) => [workflow.id, await lacksOf(client, workflow, known)] as const)
        state.lacks = new Map(await Promise.all(lacks))
        state.lacksAsked = performance.now()
      }
      state.queued = queue.running.length + queue.pending.length
      state.detail = `ComfyUI ${stats.system?.comfyui_version ?? '?'}${device?.name ? ` on ${device.name}${memory}` : ''}`
      heard(state)
      for (const id of state.abandoned) await cancelOn(client, id).then(() => state.abandoned.delete(id))
    } catch (error) {
      missed(state, error)
    }
    state.asked = performance.now()
  }

  return {
    workflows,
    async current(): Promise<readonly ServerState[]> {
      const old = states.filter(({ asked }) => performance.now() - asked > fresh)
      const asking = old.map((state) => {
        state.asking ??= ask(state).finally(() => {
          state.asking = undefined
        })
        // Nobody waits for one that was silent before.
        return state.ok || state.asked === never ? state.asking : undefined
      })
      await Promise.all(asking)
      return states
    },
    of: (url: string | null): ServerState | undefined => states.find((state) => state.url === url),
    /** Whether a server has not answered for so long that nothing comes of what it was given. */
    isGone: ({ silentSince }: ServerState) => silentSince !== undefined && performance.now() - silentSince > gone,
  }
}
export type Servers = ReturnType<typeof createServers>

/** It has answered. */
export function heard(state: ServerState): void {
  state.ok = true
  state.silentSince = undefined
}

/** It has not. */
export function missed(state: ServerState, error: unknown): void {
  state.ok = false
  state.silentSince ??= performance.now()
  const { message, cause } = error as { message?: string; cause?: { code?: string } }
  state.detail = `${cause?.code ?? message ?? 'no answer'}`.slice(0, 200)
}

/** Ends a prompt whether it waits or runs; nobody else's is touched. */
export async function cancelOn(client: ComfyClient, id: string): Promise<void> {
  await client.takeFromQueue(id)
  // Older servers interrupt whatever runs, so it has to be ours.
  if ((await client.queue()).running.includes(id)) await client.interrupt(id)
}

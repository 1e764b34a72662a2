import {
  type InfiniteData,
  infiniteQueryOptions,
  mutationOptions,
  type QueryClient,
  queryOptions,
  replaceEqualDeep,
} from '@tanstack/react-query'
import { apiFetch, apiJson } from '#client/api.ts'
import { refresh } from '#client/refresh.ts'
import type { Page } from '#contract/paging.ts'
import { balanceQuery } from '#features/credits/app/credits.ts'
import { type GenerationStatus, openStatuses } from '../rules.ts'
import type { GenerationView, RefundRequestAnswer } from '../types.ts'

/** What the history shows: everything, or one tool's, or one state's. */
export interface HistoryFilter {
  tool?: string
  status?: GenerationStatus
}

type HistoryPages = InfiniteData<Page<GenerationView>, string | null>

const keys = {
  all: ['generations'] as const,
  lists: ['generations', 'list'] as const,
  list: (filter: HistoryFilter) => ['generations', 'list', filter] as const,
  one: (id: string) => ['generations', 'one', id] as const,
}

export function isOpen(generation: Pick<GenerationView, 'status'>): boolean {
  return (openStatuses as readonly string[]).includes(generation.status)
}

/**
 * Milliseconds between questions about an open generation: rarely while events arrive, often while
 * they do not.
 */
const pollingWhile = { live: 20_000, silent: 2500 }
let eventsArrive = false

/** The event connection says whether it stands, so that polling takes over when it does not. */
export function setEventsArrive(arrive: boolean): void {
  eventsArrive = arrive
}

const pollInterval = () => (eventsArrive ? pollingWhile.live : pollingWhile.silent)

/**
 * The signed addresses of files work for forty minutes at least; a screen that stays open asks for
 * new ones before.
 */
const renewAddresses = 30 * 60_000

/**
 * Responses and events overtake each other: what was read of an earlier change tells nothing new.
 */
const newestOf = (known: GenerationView | undefined, read: GenerationView): GenerationView =>
  known && known.change > read.change ? known : replaceEqualDeep(known, read)

/** Somebody's generations, newest first, a page at a time. */
export function historyQuery(filter: HistoryFilter = {}) {
  return infiniteQueryOptions({
    queryKey: keys.list(filter),
    queryFn: async ({ pageParam, signal, client }) => {
      const search = new URLSearchParams()
      if (filter.tool) search.set('tool', filter.tool)
      if (filter.status) search.set('status', filter.status)
      if (pageParam) search.set('cursor', pageParam)
      const page = await apiJson<Page<GenerationView>>(`/api/generations?${search}`, { signal })
      const items = page.items.map((item) => newestOf(client.getQueryData<GenerationView>(keys.one(item.id)), item))
      return { ...page, items: items.filter((item) => matches(item, filter)) }
    },
    initialPageParam: null as string | null,
    // What was kept may be older than the last result, whatever its age says.
    refetchOnMount: 'always',
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) =>
      !eventsArrive && state.data?.pages[0]?.items.some(isOpen) ? 2 * pollingWhile.silent : renewAddresses,
    meta: { persist: true },
  })
}

export function generationQuery(id: string) {
  return queryOptions({
    queryKey: keys.one(id),
    queryFn: ({ signal }) => apiJson<GenerationView>(`/api/generations/${encodeURIComponent(id)}`, { signal }),
    structuralSharing: (known, read) => newestOf(known as GenerationView | undefined, read as GenerationView),
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? pollInterval() : renewAddresses),
    meta: { persist: true },
  })
}

/** A generation that is already known from a list, to show while the fresh one comes. */
export function knownGeneration(client: QueryClient, id: string): GenerationView | undefined {
  const lists = client.getQueriesData<HistoryPages>({ queryKey: keys.lists })
  const pages = lists.flatMap(([, data]) => data?.pages ?? [])
  return pages.flatMap(({ items }) => items).find((item) => item.id === id)
}

function matches(generation: GenerationView, filter: HistoryFilter): boolean {
  return (!filter.tool || filter.tool === generation.tool) && (!filter.status || filter.status === generation.status)
}

/** Puts a generation in its place in every list that it belongs to; null takes it out of all. */
function writeLists(client: QueryClient, id: string, generation: GenerationView | null): void {
  for (const [key, data] of client.getQueriesData<HistoryPages>({ queryKey: keys.lists })) {
    if (!data) continue
    const here = generation && matches(generation, (key[2] ?? {}) as HistoryFilter) ? [generation] : []
    const listed = data.pages.some(({ items }) => items.some((item) => item.id === id))
    const pages = data.pages.map((page, index) => {
      const items = page.items.flatMap((item) => (item.id === id ? here : [item]))
      return { ...page, items: listed || index > 0 ? items : [...here, ...items] }
    })
    client.setQueryData<HistoryPages>(key, { ...data, pages })
  }
}

/** Writes a response or an event into every place that shows the generation. */
export function rememberGeneration(client: QueryClient, received: GenerationView): void {
  const generation = newestOf(client.getQueryData<GenerationView>(keys.one(received.id)), received)
  client.setQueryData(keys.one(generation.id), generation)
  writeLists(client, generation.id, generation)
}

/** Asks anew for everything that shows generations, e.g. after a time without events. */
export const refreshGenerations = (client: QueryClient): Promise<void> => refresh(client, keys.all)

/** Stops a generation that waits or runs; its credits come back. */
export function cancelMutation(client: QueryClient) {
  return mutationOptions({
    mutationFn: (id: string) =>
      apiJson<GenerationView>(`/api/generations/${encodeURIComponent(id)}/cancel`, { method: 'POST' }),
    onSuccess: (generation) => rememberGeneration(client, generation),
    onError: (_error, id) => client.invalidateQueries({ queryKey: keys.one(id) }),
  })
}

export async function deleteGeneration(client: QueryClient, id: string): Promise<void> {
  await apiFetch(`/api/generations/${encodeURIComponent(id)}`, { method: 'DELETE' })
  writeLists(client, id, null)
  client.removeQueries({ queryKey: keys.one(id) })
}

/**
 * Says that a result is no good, with the reason; its credits come back, or somebody looks at it.
 */
export function refundMutation(client: QueryClient, generation: GenerationView) {
  const { id } = generation
  return mutationOptions({
    mutationFn: (reason: string) =>
      apiJson<RefundRequestAnswer>(`/api/generations/${encodeURIComponent(id)}/claim`, { json: { reason } }),
    onSuccess: ({ balance, ...refundRequest }) => {
      const known = client.getQueryData<GenerationView>(keys.one(id)) ?? generation
      const gone = refundRequest.refunded > 0 ? { outputs: [], thumbnailUrl: null } : {}
      rememberGeneration(client, { ...known, ...gone, refundRequest })
      client.setQueryData(balanceQuery.queryKey, (known) => known && { ...known, credits: balance })
      void refresh(client, ['credits'])
    },
    // A refund may have been asked for on another device.
    onError: () => client.invalidateQueries({ queryKey: keys.one(id) }),
  })
}

export interface RenderRequest {
  params: Record<string, unknown>
  /** Files for inputs that may be given anew, e.g. the picture to put behind. */
  files?: Partial<Record<string, readonly Blob[]>>
}

/** Which earlier rendering is to be shown again. */
interface StepRequest {
  rendering: number
}

/**
 * Renders a finished result again with other options, or as it was before; free. Requests for one
 * generation go one after the other.
 */
export function renderMutation(client: QueryClient, id: string) {
  return mutationOptions({
    scope: { id: `render ${id}` },
    mutationFn: (request: RenderRequest | StepRequest) => {
      const path = `/api/generations/${encodeURIComponent(id)}/render`
      if ('rendering' in request) return apiJson<GenerationView>(path, { json: request })
      const { params, files = {} } = request
      const body = new FormData()
      body.set('params', JSON.stringify(params))
      for (const [name, given = []] of Object.entries(files)) for (const file of given) body.append(name, file)
      return apiJson<GenerationView>(path, { method: 'POST', body })
    },
    onSuccess: (generation) => rememberGeneration(client, generation),
  })
}

import {
  type InfiniteData,
  infiniteQueryOptions,
  mutationOptions,
  type QueryClient,
  queryOptions,
  replaceEqualDeep,
} from '@tanstack/react-query'
import { apiFetch, apiJson } from '#client/api.ts'
import { serverNow } from '#client/device/server-time.ts'
import { refresh } from '#client/query.ts'
import { balanceQuery } from '#features/credits/app/credits.tsx'
import type { Page } from '#shared/paging.ts'
import { type GenerationStatus, isOpenStatus } from '../rules.ts'
import type { GenerationView, RefundRequestAnswer } from '../schemas.ts'

export interface HistoryFilter {
  tool?: string
  status?: GenerationStatus
  /** `yyyy-mm-dd` in the user's time zone. */
  when?: 'today' | 'week' | (string & {})
  search?: string
  /** Ids of tools whose name matches `search`. */
  named?: readonly string[]
}

/** From the first to the last moment of the days in the user's time zone. */
function daysOf(when: NonNullable<HistoryFilter['when']>): { from: Date; to: Date } {
  const day = when === 'today' || when === 'week' ? new Date(serverNow()) : new Date(`${when}T12:00`)
  const from = new Date(day)
  if (when === 'week') from.setDate(from.getDate() - 6)
  from.setHours(0, 0, 0, 0)
  day.setHours(23, 59, 59, 999)
  return { from, to: day }
}

function searchOf({ tool, status, when, search, named = [] }: HistoryFilter): URLSearchParams {
  const days = when === undefined ? undefined : daysOf(when)
  const wanted = {
    tool,
    status,
    from: days?.from.toISOString(),
    to: days?.to.toISOString(),
    search,
    named: search === undefined || named.length === 0 ? undefined : named.join(','),
  }
  return new URLSearchParams(Object.entries(wanted).filter((entry): entry is [string, string] => Boolean(entry[1])))
}

type HistoryPages = InfiniteData<Page<GenerationView>, string | null>

const keys = {
  all: ['generations'] as const,
  lists: ['generations', 'list'] as const,
  list: (filter: HistoryFilter) => ['generations', 'list', filter] as const,
  one: (id: string) => ['generations', 'one', id] as const,
}

/** Milliseconds between polls: rare while events arrive. */
const pollIntervals = { live: 20_000, silent: 2500 }
let eventsArrive = false

/** The event connection reports here, so that polling takes over when it is down. */
export function setEventsArrive(arrive: boolean): void {
  eventsArrive = arrive
}

const pollInterval = () => (eventsArrive ? pollIntervals.live : pollIntervals.silent)

/**
 * Signed file addresses are valid for at least forty minutes; an open screen renews them before.
 */
const renewAddressesMs = 30 * 60_000

/** Responses and events overtake each other: a lower change number is outdated. */
const newestOf = (known: GenerationView | undefined, read: GenerationView): GenerationView =>
  known && known.change > read.change ? known : replaceEqualDeep(known, read)

export function historyQuery(filter: HistoryFilter = {}) {
  return infiniteQueryOptions({
    queryKey: keys.list(filter),
    queryFn: async ({ pageParam, signal, client }) => {
      const search = searchOf(filter)
      if (pageParam) search.set('cursor', pageParam)
      const page = await apiJson<Page<GenerationView>>(`/api/generations?${search}`, { signal })
      const items = page.items.map((item) => newestOf(client.getQueryData<GenerationView>(keys.one(item.id)), item))
      return { ...page, items: items.filter((item) => matches(item, filter)) }
    },
    initialPageParam: null as string | null,
    // Stored data may predate the last result even when it is recent.
    refetchOnMount: 'always',
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) =>
      !eventsArrive && state.data?.pages[0]?.items.some(({ status }) => isOpenStatus(status))
        ? 2 * pollIntervals.silent
        : renewAddressesMs,
    meta: { persist: true },
  })
}

export function generationQuery(id: string) {
  return queryOptions({
    queryKey: keys.one(id),
    queryFn: ({ signal }) => apiJson<GenerationView>(`/api/generations/${encodeURIComponent(id)}`, { signal }),
    structuralSharing: (known, read) => newestOf(known as GenerationView | undefined, read as GenerationView),
    refetchInterval: ({ state }) => (state.data && isOpenStatus(state.data.status) ? pollInterval() : renewAddressesMs),
    meta: { persist: true },
  })
}

export function knownGeneration(client: QueryClient, id: string): GenerationView | undefined {
  const lists = client.getQueriesData<HistoryPages>({ queryKey: keys.lists })
  const pages = lists.flatMap(([, data]) => data?.pages ?? [])
  return pages.flatMap(({ items }) => items).find((item) => item.id === id)
}

/** Follows `listGenerations` of the server. */
function matches({ tool, status, createdAt, inputs, outputs }: GenerationView, filter: HistoryFilter): boolean {
  if ((filter.tool && filter.tool !== tool) || (filter.status && filter.status !== status)) return false
  if (filter.when) {
    const { from, to } = daysOf(filter.when)
    const made = new Date(createdAt)
    if (made < from || made > to) return false
  }
  if (!filter.search || filter.named?.includes(tool)) return true
  const names = [...inputs, ...outputs].map(({ name }) => name.toLowerCase())
  const words = filter.search.toLowerCase().split(/\s+/)
  return words.every((word) => names.some((name) => name.includes(word)))
}

/** Matches among the generations of all lists on the device, newest first. */
export function storedMatches(client: QueryClient, filter: HistoryFilter): GenerationView[] {
  const lists = client.getQueriesData<HistoryPages>({ queryKey: keys.lists })
  const pages = lists.flatMap(([, data]) => data?.pages ?? [])
  const found = new Map(pages.flatMap(({ items }) => items).map((item) => [item.id, item]))
  return [...found.values()]
    .filter((item) => matches(item, filter))
    .sort((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt))
}

/** Null removes the generation. */
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

export function rememberGeneration(client: QueryClient, received: GenerationView): void {
  const generation = newestOf(client.getQueryData<GenerationView>(keys.one(received.id)), received)
  client.setQueryData(keys.one(generation.id), generation)
  writeLists(client, generation.id, generation)
}

export const refreshGenerations = (client: QueryClient): Promise<void> => refresh(client, keys.all)

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
    // A refund may have been requested on another device.
    onError: () => client.invalidateQueries({ queryKey: keys.one(id) }),
  })
}

interface RenderRequest {
  params: Record<string, unknown>
  files?: Partial<Record<string, readonly Blob[]>>
}

interface StepRequest {
  rendering: number
}

/** Free. Requests for one generation are serialized. */
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

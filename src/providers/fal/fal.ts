import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { Json } from '#shared/schema.ts'
import { dayMs } from '#shared/time.ts'
import {
  callService,
  type HostedService,
  type HostedState,
  isContentRefusal,
  ServiceError,
  webhookMaxAgeSeconds,
} from '../hosted/hosted-service.ts'

interface FalOptions {
  key: string
  baseUrl: string
  keysUrl: string
  now: () => Date
}

/** Milliseconds: a key is valid for a day, and fetched at most this often. */
const keysTtlMs = dayMs
const minKeysIntervalMs = 60_000

export function createFal({ key, baseUrl, keysUrl, now }: FalOptions): HostedService {
  const authorization = `Key ${key}`
  // A model's path beyond owner and name is only used for creation.
  const runUrl = (target: string, id: string) =>
    `${baseUrl}/${target.split('/').slice(0, 2).join('/')}/requests/${encodeURIComponent(id)}`
  const publicKeys = createKeys(keysUrl, now)
  return {
    id: 'fal',
    async create(target, input, webhook, signal) {
      const url = new URL(`${baseUrl}/${target}`)
      if (webhook) url.searchParams.set('fal_webhook', webhook)
      const headers = {
        'content-type': 'application/json',
        'x-fal-no-retry': '1',
        'x-fal-object-lifecycle-preference': JSON.stringify({ expiration_duration_seconds: 3600 }),
      }
      const made = await callService(url, {
        method: 'POST',
        body: JSON.stringify(input),
        headers,
        authorization,
        signal,
      })
      const { request_id: id } = made as { request_id?: string }
      if (!id) throw new Error('the response has no request id')
      return id
    },
    async readState(target, id, signal): Promise<HostedState> {
      const url = runUrl(target, id)
      const state = (await callService(`${url}/status`, { authorization, signal })) as Record<string, Json>
      if (state.status !== 'COMPLETED') return { state: 'running' }
      if (state.error) {
        const reason = String(state.error)
        const isRefused = isContentRefusal(reason) || isContentRefusal(reason, [String(state.error_type)])
        return { state: isRefused ? 'refused' : 'failed', reason, charged: false }
      }
      try {
        return { state: 'done', output: await callService(url, { authorization, signal }) }
      } catch (failure) {
        signal.throwIfAborted()
        if (failure instanceof ServiceError && failure.status === 429) throw failure
        // A gateway error or no answer: the job is done, only its result is missing.
        if (!(failure instanceof ServiceError) || failure.status > 500) return { state: 'unavailable', cause: failure }
        return { state: failure.isContentRefusal ? 'refused' : 'failed', reason: failure.message, charged: false }
      }
    },
    async cancel(target, id) {
      await callService(`${runUrl(target, id)}/cancel`, { method: 'PUT', authorization }).catch((error: unknown) => {
        // The request has ended already, or never existed.
        if (!(error instanceof ServiceError) || ![400, 404].includes(error.status)) throw error
      })
    },
    upload: async (bytes, contentType) => `data:${contentType};base64,${Buffer.from(bytes).toString('base64')}`,
    isResult: ({ protocol, hostname, origin }) =>
      origin === new URL(baseUrl).origin || (protocol === 'https:' && /(^|\.)fal\.(media|run)$/.test(hostname)),
    async readWebhook({ headers, body }) {
      const [request, user, timestamp, signature] = ['request-id', 'user-id', 'timestamp', 'signature'].map(
        (name) => headers.get(`x-fal-webhook-${name}`) ?? '',
      ) as [string, string, string, string]
      if (!(Math.abs(now().getTime() / 1000 - Number(timestamp)) <= webhookMaxAgeSeconds)) return undefined
      const digest = createHash('sha256').update(body).digest('hex')
      const message = Buffer.from([request, user, timestamp, digest].join('\n'))
      const signed = Buffer.from(signature, 'hex')
      const isTheirs = (keys: readonly KeyObject[]) => keys.some((one) => verify(null, message, one, signed))
      if (!isTheirs(await publicKeys(false)) && !isTheirs(await publicKeys(true))) return undefined
      const { request_id: id } = JSON.parse(Buffer.from(body).toString()) as { request_id?: string }
      return id ? { externalId: id } : undefined
    },
    async check() {
      // No such request exists; a wrong key is reported before that.
      await callService(runUrl('fal-ai/fast-sdxl', crypto.randomUUID()), { authorization }).catch((error: unknown) => {
        if (!(error instanceof ServiceError) || [401, 403].includes(error.status) || error.status >= 500) throw error
      })
    },
  }
}

/** Cached for a day; `renewed` fetches new keys. */
function createKeys(url: string, now: () => Date) {
  let kept: readonly KeyObject[] = []
  let askedAt = Number.NEGATIVE_INFINITY
  return async (renewed: boolean): Promise<readonly KeyObject[]> => {
    const age = now().getTime() - askedAt
    if (age < (renewed || kept.length === 0 ? minKeysIntervalMs : keysTtlMs)) return kept
    askedAt = now().getTime()
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(10_000) })
    const { keys } = (await response.json()) as { keys: { kty: string; crv: string; x: string }[] }
    const usable = keys.filter(({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519')
    kept = usable.map(({ kty, crv, x }) => createPublicKey({ key: { kty, crv, x }, format: 'jwk' }))
    return kept
  }
}
